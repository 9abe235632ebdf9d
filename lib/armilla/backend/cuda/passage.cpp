#include <armilla/backend/cuda/passage.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace armilla::backend {

namespace {

// What one thread copies at a time.
constexpr Index kGrain = Index{1} << 18;

// Bytes that stand together on the host, and where they stand in a buffer.
struct Piece {
  Index host, buffer, bytes;
};

// Goes through runs of numbers of `size` bytes, a buffer at a time.
class Cutter {
 public:
  Cutter(const Runs& runs, std::size_t size) : runs_(runs.all()), size_(static_cast<Index>(size)) {}

  // The pieces of the next `most` bytes at most; none behind the last.
  const std::vector<Piece>& next(Index most) {
    pieces_.clear();
    filled_ = 0;
    while (run_ < runs_.size() && filled_ < most) {
      const Index run_bytes = runs_[run_].count * size_;
      const Index bytes = std::min({run_bytes - done_, most - filled_, kGrain});
      pieces_.push_back({runs_[run_].begin * size_ + done_, filled_, bytes});
      filled_ += bytes;
      done_ += bytes;
      if (done_ < run_bytes) continue;
      done_ = 0;
      ++run_;
    }
    return pieces_;
  }
  Index filled() const { return filled_; }

 private:
  const std::vector<Run>& runs_;
  Index size_;
  std::size_t run_ = 0;
  Index done_ = 0;  // bytes of the run
  Index filled_ = 0;
  std::vector<Piece> pieces_;
};

template <class Copy>
void copy_each(const std::vector<Piece>& pieces, const Copy& copy) {
  const auto count = static_cast<Index>(pieces.size());
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < count; ++i) copy(pieces[static_cast<std::size_t>(i)]);
}

void copy_bytes(std::byte* to, const std::byte* from, Index bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

}  // namespace

void Passage::fill(const std::byte* host, const Runs& runs, std::size_t size, kernels::DevicePointer<std::byte> there,
                   const kernels::Stream& stream) {
  Cutter cutter(runs, size);
  for (int turn = 0;; turn = 1 - turn) {
    Buffer& buffer = buffers_[turn];
    const std::vector<Piece>& pieces = cutter.next(kBytes);
    if (pieces.empty()) return;
    buffer.copied.wait();
    std::byte* numbers = buffer.numbers.data();
    copy_each(pieces, [&](const Piece& p) { copy_bytes(numbers + p.buffer, host + p.host, p.bytes); });
    kernels::copy(there, numbers, cutter.filled(), stream);
    buffer.copied.record(stream);
    there += cutter.filled();
  }
}

void Passage::empty(kernels::DevicePointer<const std::byte> there, const Runs& runs, std::size_t size, std::byte* host,
                    const kernels::Stream& stream) {
  Cutter cutter(runs, size);
  std::vector<Piece> pieces[2];
  const auto begin = [&](int turn) {
    pieces[turn] = cutter.next(kBytes);
    kernels::copy(buffers_[turn].numbers.data(), there, cutter.filled(), stream);
    buffers_[turn].copied.record(stream);
    there += cutter.filled();
  };
  begin(0);
  for (int turn = 0; !pieces[turn].empty(); turn = 1 - turn) {
    begin(1 - turn);
    buffers_[turn].copied.wait();
    const std::byte* numbers = buffers_[turn].numbers.data();
    copy_each(pieces[turn], [&](const Piece& p) { copy_bytes(host + p.host, numbers + p.buffer, p.bytes); });
  }
}

}  // namespace armilla::backend

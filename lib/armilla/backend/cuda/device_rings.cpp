#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <kernels/rings/chirps.hpp>
#include <kernels/rings/fold.hpp>
#include <kernels/rings/pixels.hpp>
#include <kernels/rings/short_rings.hpp>

namespace armilla::backend {

namespace {

using Method = RingGroup::Method;

}  // namespace

template <class T>
DeviceRings<T>::DeviceRings(const fft::RingTask& task, Index work_bytes, const kernels::Stream& stream,
                            const RingOptions& options)
    : groups_(task, options), width_(task.width()) {
  const auto cufft = kernels::load_cufft();
  Index fft_work = 0;
  for (const RingGroup& group : groups_.groups()) {
    if (group.units() * width_ > std::numeric_limits<int>::max())
      throw core::ResourceError("too many maps at once for a GPU: use a smaller batch");
    if (group.length == 0) continue;
    const auto fft = ffts_.try_emplace(group.length, cufft, group.length, group.fft_lines).first;
    fft_work = std::max(fft_work, fft->second.work_bytes());
  }
  const RingWork work = groups_.work(width_, sizeof(T), fft_work);
  const Index least = work.space().least;
  if (least > work_bytes)
    throw core::ResourceError(fmt::format(
        "ring FFTs need at least {} MiB of workspace on the GPU, but only {} MiB are left: use more ranks or GPUs, "
        "a smaller batch, or backend: cpu",
        (least >> 20) + 1, work_bytes >> 20));
  keeps_chirps_ = work.keeps_chirps(work_bytes);
  allocate(task, work.lanes(work_bytes), fft_work, stream);
  if (!keeps_chirps_) return;
  for (std::size_t g = 0; g < offsets_.size(); ++g)
    make_chirps(g, 0, static_cast<int>(groups_.groups()[g].chirps.size()), {lanes_.front(), stream});
  stream.wait();  // other streams may use them
}

template <class T>
void DeviceRings<T>::allocate(const fft::RingTask& task, Index lanes, Index fft_work, const kernels::Stream& stream) {
  Index numbers = 0;
  Index tables = 0;
  Index filters = 0;
  std::vector<int> lines;
  for (const RingGroup& group : groups_.groups()) {
    numbers = std::max(numbers, group.numbers(width_));
    const Index held = keeps_chirps_ ? static_cast<Index>(group.chirps.size()) : group.max_chirps(width_);
    const Index begin_tables = keeps_chirps_ ? tables : 0;
    const Index begin_filters = keeps_chirps_ ? filters : 0;
    offsets_.push_back({begin_tables, begin_filters, static_cast<Index>(lines.size())});
    tables = std::max(tables, begin_tables + held * group.max_line());
    filters = std::max(filters, begin_filters + held * group.length);
    lines.insert(lines.end(), group.chirps.begin(), group.chirps.end());
  }
  std::vector<T> phases;
  for (const std::complex<double>& z : groups_.phases()) {
    phases.push_back(static_cast<T>(z.real()));
    phases.push_back(static_cast<T>(z.imag()));
  }
  units_ = kernels::upload<kernels::RingUnit>(groups_.units(), stream);
  m_shift_ = kernels::upload<Index>(task.m_shift, stream);
  chirp_lines_ = kernels::upload<int>(lines, stream);
  phases_ = kernels::upload<T>(phases, stream);
  for (Index lane = 0; lane < lanes; ++lane) {
    lanes_.push_back(
        {kernels::DeviceBuffer<T>(2 * numbers), kernels::DeviceBuffer<char>(std::max(Index{1}, fft_work)), {}, {}});
    if (lane > 0) lanes_.back().own.emplace();
  }
  chirps_ = kernels::DeviceBuffer<T>(2 * tables);
  twiddles_ = kernels::DeviceBuffer<T>(2 * tables);
  filters_ = kernels::DeviceBuffer<T>(2 * filters);
  layout_ = {m_shift_.data(), static_cast<int>(width_), static_cast<int>(task.maps), task.component_stride,
             task.map_stride};
}

// Computes the tables of chirps `first` to `first + count` of a group, at the offsets of the group. Filters are
// transformed in the memory of a chunk's values.
template <class T>
void DeviceRings<T>::make_chirps(std::size_t g, int first, int count, const LaneInUse& in) {
  const RingGroup& group = groups_.groups()[g];
  const ChirpOffsets& offsets = offsets_[g];
  const int most = static_cast<int>(group.numbers(width_) / std::max(1, group.length));
  for (int begin = 0; begin < count; begin += most) {
    const int some = std::min(most, count - begin);
    const int lines = group.lines((some + group.column_lines - 1) / group.column_lines);
    const Index table = 2 * (offsets.tables + Index{begin} * group.max_line());
    const Index filter = 2 * (offsets.filters + Index{begin} * group.length);
    kernels::make_chirps(kernels::DeviceChirpTask<T>{.part = chirp_lines_.data() + offsets.lines + first + begin,
                                                     .count = some,
                                                     .capacity = lines,
                                                     .length = group.length,
                                                     .stride = group.max_line(),
                                                     .chirp = chirps_.data() + table,
                                                     .twiddle = twiddles_.data() + table,
                                                     .values = in.lane.values.data()},
                         in.stream.get());
    run(group, lines, kernels::FftDirection::kForward, in);
    kernels::copy(filters_.data() + filter, in.lane.values.data(), 2 * Index{some} * group.length, in.stream);
  }
}

template <class T>
kernels::DeviceChirpTables<T> DeviceRings<T>::chirps_of(std::size_t g, int first, int count, const LaneInUse& in) {
  const RingGroup& group = groups_.groups()[g];
  const ChirpOffsets& offsets = offsets_[g];
  int first_chirp = 0;
  if (!keeps_chirps_) {
    const auto chirp = [&](Index column) {
      return groups_.units()[static_cast<std::size_t>(group.begin + column / width_)].chirp;
    };
    first_chirp = chirp(first);
    make_chirps(g, first_chirp, chirp(first + count - 1) - first_chirp + 1, in);
  }
  return {first_chirp, group.max_line(), chirps_.data() + 2 * offsets.tables, twiddles_.data() + 2 * offsets.tables,
          filters_.data() + 2 * offsets.filters};
}

// Lanes start when the stream reaches this call, and the stream continues when all of them are complete, also after an
// error.
template <class T>
template <class Work>
void DeviceRings<T>::for_each_chunk(const kernels::Stream& stream, const Work& work) {
  const auto join = [&] {
    for (Lane& lane : lanes_) {
      if (!lane.own) continue;
      lane.joined.record(*lane.own);
      lane.joined.hold(stream);
    }
  };
  if (lanes() > 1) forked_.record(stream);
  for (const Lane& lane : lanes_)
    if (lane.own) forked_.hold(*lane.own);
  try {
    give_chunks(stream, work);
  } catch (...) {
    join();
    throw;
  }
  join();
}

template <class T>
template <class Work>
void DeviceRings<T>::give_chunks(const kernels::Stream& stream, const Work& work) {
  std::vector<Index> given(lanes_.size());
  for (std::size_t g = 0; g < offsets_.size(); ++g) {
    const RingGroup& group = groups_.groups()[g];
    const Index columns = group.units() * width_;
    const Index most = group.method == Method::kShort ? columns : group.columns;
    for (Index first = 0; first < columns; first += most) {
      const int count = static_cast<int>(std::min(most, columns - first));
      const int capacity = group.method == Method::kShort ? count : group.lines(count) / group.column_lines;
      const auto least = std::ranges::min_element(given);
      *least += std::max(Index{1}, Index{group.length} * capacity * group.column_lines);
      Lane& lane = lanes_[static_cast<std::size_t>(least - given.begin())];
      const LaneInUse in{lane, lane.own ? *lane.own : stream};
      kernels::DeviceRingChunk<T> chunk{.units = units_.data() + group.begin,
                                        .first = static_cast<int>(first),
                                        .count = count,
                                        .capacity = capacity,
                                        .max_nphi = group.max_nphi,
                                        .max_m = group.max_m,
                                        .parts = group.column_lines,
                                        .length = group.length,
                                        .chirps = {},
                                        .values = lane.values.data()};
      if (group.method == Method::kChirp) chunk.chirps = chirps_of(g, static_cast<int>(first), count, in);
      work(group, chunk, in);
    }
  }
}

template <class T>
void DeviceRings<T>::transform(const RingGroup& group, const kernels::DeviceRingChunk<T>& chunk, const LaneInUse& in) {
  const int lines = chunk.capacity * chunk.parts;
  run(group, lines, kernels::FftDirection::kForward, in);
  if (group.method != Method::kChirp) return;
  kernels::multiply(kernels::DeviceChirpedTask<T>{chunk, layout_}, in.stream.get());
  run(group, lines, kernels::FftDirection::kInverse, in);
}

template <class T>
void DeviceRings<T>::run(const RingGroup& group, int lines, kernels::FftDirection direction, const LaneInUse& in) {
  const kernels::FftPlan<T>& fft = ffts_.at(group.length);
  for (int line = 0; line < lines; line += group.fft_lines)
    fft.run(in.lane.values.data() + 2 * Index{line} * group.length, direction, in.lane.fft_work.data(),
            in.stream.get());
}

template <class T>
void DeviceRings<T>::synthesis(DevicePointer<const std::complex<T>> delta, DevicePointer<const double> factor,
                               DevicePointer<T> map, const kernels::Stream& stream) {
  for_each_chunk(stream, [&](const RingGroup& group, const kernels::DeviceRingChunk<T>& chunk, const LaneInUse& in) {
    if (group.method == Method::kShort)
      return kernels::short_synthesis(
          kernels::DeviceShortSynthesis<T>{chunk, layout_, phases(), real(delta), map, factor}, in.stream.get());
    kernels::fold(kernels::DeviceFoldTask<T, const T>{chunk, layout_, phases(), real(delta), nullptr}, in.stream.get());
    transform(group, chunk, in);
    kernels::write_pixels(kernels::DevicePixelTask<T, T>{chunk, layout_, map, factor}, in.stream.get());
  });
}

template <class T>
void DeviceRings<T>::adjoint(DevicePointer<const T> map, DevicePointer<const double> factor,
                             DevicePointer<std::complex<T>> delta, const kernels::Stream& stream) {
  for_each_chunk(stream, [&](const RingGroup& group, const kernels::DeviceRingChunk<T>& chunk, const LaneInUse& in) {
    if (group.method == Method::kShort)
      return kernels::short_adjoint(kernels::DeviceShortAdjoint<T>{chunk, layout_, phases(), real(delta), map, factor},
                                    in.stream.get());
    kernels::read_pixels(kernels::DevicePixelTask<T, const T>{chunk, layout_, map, nullptr}, in.stream.get());
    transform(group, chunk, in);
    kernels::unfold(kernels::DeviceFoldTask<T, T>{chunk, layout_, phases(), real(delta), factor}, in.stream.get());
  });
}

ARMILLA_INSTANTIATE_CLASS(DeviceRings);

}  // namespace armilla::backend

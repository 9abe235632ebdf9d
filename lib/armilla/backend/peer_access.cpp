#include <armilla/backend/peer_access.hpp>

#include <mutex>
#include <utility>

namespace armilla::backend {

namespace {

struct OpenArrays {
  std::vector<std::shared_ptr<void>> arrays;
  std::function<bool()> is_closed;
};

struct AllOpenArrays {
  std::mutex lock;
  std::vector<OpenArrays> open;
};

// Never destroyed: devices may be gone at the end of the program.
AllOpenArrays& all_open_arrays() {
  static auto* all = new AllOpenArrays;
  return *all;
}

}  // namespace

void release_when_closed(std::vector<std::shared_ptr<void>> arrays, std::function<bool()> is_closed) {
  AllOpenArrays& all = all_open_arrays();
  const std::lock_guard guard(all.lock);
  all.open.push_back({std::move(arrays), std::move(is_closed)});
}

void release_closed_arrays() {
  AllOpenArrays& all = all_open_arrays();
  const std::lock_guard guard(all.lock);
  std::erase_if(all.open, [](const OpenArrays& some) { return some.is_closed(); });
}

}  // namespace armilla::backend

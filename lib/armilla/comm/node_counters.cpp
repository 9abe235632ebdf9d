#include <armilla/comm/node_counters.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/node_file.hpp>

#include <cerrno>
#include <cstring>
#include <random>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace armilla::comm {

namespace {

static_assert(std::atomic<Index>::is_always_lock_free);

// The same on all ranks, and different in each call.
std::string common_key(const Communicator& comm) {
  std::random_device random;
  return comm.broadcast(fmt::format("counters {} {} {}", core::host_name(), ::getpid(), random()));
}

[[noreturn]] void refuse(const char* call) {
  throw core::ResourceError(fmt::format("memory shared by ranks: {} failed ({})", call, std::strerror(errno)));
}

}  // namespace

NodeCounters::NodeCounters(const Communicator& comm, std::size_t count) {
  // counters_[0] counts the ranks that have this memory.
  const std::size_t bytes = (count + 1) * sizeof(std::atomic<Index>);
  const std::string key = common_key(comm);
  std::shared_ptr<const core::NodeFile> file;
  phase(comm, [&] {
    file = core::NodeFile::acquire(key, [&](int descriptor) {
      if (::ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) refuse("ftruncate");
    });
    const int descriptor = ::open(file->path().c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) refuse("open");
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    if (memory == MAP_FAILED) refuse("mmap");
    counters_ = {static_cast<std::atomic<Index>*>(memory), Unmap{bytes}};
    ++counters_[0];
  });
  phase(comm, [&] {
    if (counters_[0] != comm.size()) throw core::ResourceError("the ranks do not share memory");
  });
}

void NodeCounters::Unmap::operator()(std::atomic<Index>* counters) const { ::munmap(counters, bytes); }

}  // namespace armilla::comm

#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/file_lock.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/doctor/checks.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/write.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace armilla::doctor {

namespace {

constexpr Index kNside = 512;

/// Magic numbers of statfs(2), and of Lustre, GPFS, BeeGFS and CephFS.
constexpr std::array<std::pair<std::int64_t, const char*>, 16> kTypes{{{0xEF53, "ext4"},
                                                                       {0x58465342, "xfs"},
                                                                       {0x9123683E, "btrfs"},
                                                                       {0x01021994, "tmpfs"},
                                                                       {0x794C7630, "overlay"},
                                                                       {0x6969, "nfs"},
                                                                       {0x0BD00BD0, "lustre"},
                                                                       {0x47504653, "gpfs"},
                                                                       {0x19830326, "beegfs"},
                                                                       {0x00C36400, "ceph"},
                                                                       {0x2FC12FC1, "zfs"},
                                                                       {0x65735546, "fuse"},
                                                                       {0xFF534D42, "cifs"},
                                                                       {0x01021997, "9p"},
                                                                       {0x6B414653, "afs"},
                                                                       {0x858458F6, "ramfs"}}};

std::string type_of(const std::string& folder) {
  struct statfs what {};
  if (::statfs(folder.c_str(), &what) != 0) return "unknown";
  const auto magic = static_cast<std::int64_t>(static_cast<std::uint32_t>(what.f_type));
  for (const auto& [number, name] : kTypes)
    if (magic == number) return name;
  return fmt::format("type {:#x}", magic);
}

Index free_bytes_of(const std::string& folder) {
  struct statvfs what {};
  if (::statvfs(folder.c_str(), &what) != 0) return 0;
  return static_cast<Index>(what.f_bavail) * static_cast<Index>(what.f_frsize);
}

/// A value that depends only on the pixel, so that each rank knows what the others wrote.
double number_of(Index pixel) { return 1.0 + static_cast<double>((pixel * 2654435761) % 1000003) / 7.0; }

/// Temporary folder for the test files; rank 0 creates and removes it.
class TrialFolder {
 public:
  /// Collective. Throws InputError if the folder is not writable.
  TrialFolder(const comm::Communicator& world, const std::string& parent) : world_(world) {
    comm::phase(world, [&] {
      if (!world.is_root()) return;
      std::string name = parent + "/.armilla-doctor-XXXXXX";
      if (::mkdtemp(name.data()) == nullptr)
        throw core::InputError(fmt::format("folder '{}' is not writable ({}): choose another one with --folder", parent,
                                           std::strerror(errno)));
      path_ = name;
    });
    path_ = world.broadcast(path_);
  }
  ~TrialFolder() {
    std::error_code error;
    if (world_.is_root()) std::filesystem::remove_all(path_, error);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  const comm::Communicator& world_;
  std::string path_;
};

/// Seconds from the start of all ranks until all have finished.
template <class Work>
double timed_together(const comm::Communicator& world, Work&& work) {
  world.barrier();
  const double start = core::now_seconds();
  std::forward<Work>(work)();
  world.barrier();
  return core::now_seconds() - start;
}

void write_and_read(const comm::Communicator& world, const std::string& file, FileSystemFacts& facts) {
  const dist::PixelDistribution pixels(std::make_shared<const grid::RingGrid>(grid::make_healpix(kNside)),
                                       world.size());
  std::vector<double> numbers;
  comm::phase(world, [&] {
    for (const auto& range : pixels.pixel_ranges(world.rank()))
      for (Index i = 0; i < range.count; ++i) numbers.push_back(number_of(range.first + i));
  });
  facts.write_seconds = timed_together(world, [&] {
    io::write_map<double>(world, file, {{"T"}, {}, "", ""}, pixels, std::span<const double>(numbers), {});
  });
  const int other = (world.rank() + 1) % world.size();
  facts.read_seconds = timed_together(world, [&] {
    comm::phase(world, [&] {
      std::vector<double> back(static_cast<std::size_t>(pixels.local_pixels(other)));
      const auto ranges = pixels.pixel_ranges(other);
      io::read_map<double>(io::open_map(file), 0, ranges, std::span<double>(back), io::BadDataPolicy::kKeep);
      std::size_t i = 0;
      for (const auto& range : ranges)
        for (Index pixel = range.first; pixel < range.first + range.count; ++pixel, ++i)
          if (back[i] != number_of(pixel))
            throw core::ResourceError(
                fmt::format("pixel {} of '{}', written by rank {}, reads as {} on rank {}: on this file system, other "
                            "nodes do not see data that were written and synced",
                            pixel, file, other, back[i], world.rank()));
    });
  });
  facts.written_bytes = pixels.grid().npix() * static_cast<Index>(sizeof(double));
}

/// Tests the flock() that HDF5 uses. Returns an empty text, or the problem.
std::string try_flock(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return fmt::format("'{}' cannot be opened ({})", file, std::strerror(errno));
  const int locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
  const std::string reason = locked == 0 ? "" : std::strerror(errno);
  ::close(descriptor);
  return reason.empty() ? "" : fmt::format("flock() fails ({}): set HDF5_USE_FILE_LOCKING=FALSE", reason);
}

/// Collective. Rank 0 holds a lock, which the last rank must not be able to acquire. Returns an empty text, or the
/// problem.
std::string try_locks(const comm::Communicator& world, const std::string& file) {
  std::string wrong;
  std::optional<core::FileLock> held;
  comm::phase(world, [&] {
    if (!world.is_root()) return;
    held.emplace(file, "armilla doctor", 0);
    wrong = held->problem();
  });
  wrong = world.broadcast(wrong);
  if (!wrong.empty()) return wrong + ": simultaneous runs of a job are not detected here";
  const int last = world.size() - 1;
  comm::phase(world, [&] {
    if (world.rank() != last) return;
    try {
      const core::FileLock second(file, "armilla doctor", 0);
      wrong = second.is_held() ? fmt::format("rank {} acquired a lock that rank 0 holds", last) : second.problem();
      wrong += ": locks do not work across nodes, so simultaneous runs of a job are not detected here";
    } catch (const core::InputError&) {
      wrong.clear();  // the lock is held, as expected
    }
  });
  wrong = world.broadcast(wrong, last);
  world.barrier();
  return wrong;
}

}  // namespace

FileSystemFacts examine_folder(const comm::Communicator& world, const std::string& folder,
                               std::vector<Finding>& findings) {
  FileSystemFacts facts;
  facts.folder = folder;
  facts.type = type_of(folder);
  facts.free_bytes = free_bytes_of(folder);
  try {
    const TrialFolder own(world, folder);
    write_and_read(world, own.file("map.h5"), facts);
    std::string wrong = try_locks(world, own.file("lock"));
    if (wrong.empty()) {
      comm::phase(world, [&] {
        if (world.is_root()) wrong = try_flock(own.file("flock"));
      });
      wrong = world.broadcast(wrong);
    }
    facts.locks = wrong.empty() ? "right" : wrong;
    if (!wrong.empty()) findings.push_back({Severity::kWarning, "file system", folder + ": " + wrong});
    world.barrier();  // before the root removes the folder
  } catch (const core::Error& error) {
    if (error.kind() == core::ErrorKind::kStopped) throw;
    findings.push_back({Severity::kError, "file system", error.what()});
  }
  return facts;
}

}  // namespace armilla::doctor

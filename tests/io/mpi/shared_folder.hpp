#pragma once

#include <armilla/comm/communicator.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "../io_support.hpp"

namespace armilla::test {

/// One folder for all ranks.
class SharedFolder {
 public:
  explicit SharedFolder(const comm::Communicator& world) : world_(world) {
    if (world.is_root()) folder_ = std::make_unique<TemporaryFolder>();
    path_ = world.broadcast(world.is_root() ? folder_->path().string() : "");
  }
  ~SharedFolder() { world_.barrier(); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  bool is_empty() const { return std::filesystem::is_empty(path_); }

 private:
  const comm::Communicator& world_;
  std::unique_ptr<TemporaryFolder> folder_;
  std::string path_;
};

}  // namespace armilla::test

#pragma once

#include <string>
#include <vector>

#include "targets.hpp"
#include <hdf5.h>

namespace armilla::fuzz {

/// Identifier of HDF5 that is closed at the end; negative where a call failed, as the next calls then do.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT: stands for it

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// A file in memory, for changes. The image stays as it is.
hid_t open_image(const Bytes& file);

/// Names of the links of a group, and of the groups among them: "map", "grid", "grid/theta". At most 100 of each.
std::vector<std::string> links(hid_t group, const std::string& prefix = {});

/// What is left of a file when its links are copied to a new one: without what was deleted from it.
Bytes compact(hid_t file);

}  // namespace armilla::fuzz

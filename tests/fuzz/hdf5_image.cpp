#include "hdf5_image.hpp"

#include <algorithm>
#include <array>

namespace armilla::fuzz {

namespace {

hid_t create_image() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, 1 << 12, false);
  return H5Fcreate("copy", H5F_ACC_TRUNC, H5P_DEFAULT, access);
}

}  // namespace

hid_t open_image(const Bytes& file) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, 1 << 16, false);
  H5Pset_file_image(access, const_cast<std::uint8_t*>(file.data()), file.size());
  return H5Fopen("image", H5F_ACC_RDWR, access);
}

std::vector<std::string> links(hid_t group, const std::string& prefix) {
  std::vector<std::string> names;
  H5G_info_t info{};
  if (H5Gget_info(group, &info) < 0) return names;
  for (hsize_t i = 0; i < std::min<hsize_t>(info.nlinks, 100); ++i) {
    std::array<char, 100> name{};
    if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT) < 0) break;
    names.push_back(prefix + name.data());
    if (!prefix.empty()) continue;
    const Handle child(H5Gopen2(group, name.data(), H5P_DEFAULT), H5Gclose);
    if (child < 0) continue;
    const auto below = links(child, names.back() + "/");
    names.insert(names.end(), below.begin(), below.end());
  }
  return names;
}

Bytes compact(hid_t file) {
  const Handle copy(create_image(), H5Fclose);
  for (const std::string& name : links(file))
    if (name.find('/') == std::string::npos) H5Ocopy(file, name.c_str(), copy, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  H5Fflush(copy, H5F_SCOPE_LOCAL);
  const ssize_t size = H5Fget_file_image(copy, nullptr, 0);
  Bytes image(size > 0 ? static_cast<std::size_t>(size) : 0);
  if (size > 0) H5Fget_file_image(copy, image.data(), image.size());
  return image;
}

}  // namespace armilla::fuzz

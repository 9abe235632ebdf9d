#include <armilla/core/text.hpp>
#include <armilla/io/hdf5_driver.hpp>
#include <armilla/io/hdf5_handle.hpp>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::io {

namespace {

struct Origin {
  std::string reason;
  bool is_of_driver = false;
};

// The first entry of an upward walk is the origin of the error, which is the most informative.
herr_t keep_first(unsigned number, const H5E_error2_t* entry, void* origin) {
  if (number == 0 && entry->desc != nullptr)
    *static_cast<Origin*>(origin) = {entry->desc, entry->func_name == std::string_view(kDriverFunction)};
  return 0;
}

Hdf5Handle compound(hid_t real) {
  const std::size_t size = H5Tget_size(real);
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, 2 * size), H5Tclose, core::ErrorKind::kInternal, "complex type");
  hdf5_checked(H5Tinsert(type.get(), "r", 0, real), core::ErrorKind::kInternal, "complex type");
  hdf5_checked(H5Tinsert(type.get(), "i", size, real), core::ErrorKind::kInternal, "complex type");
  return type;
}

Hdf5Handle copied(hid_t type) { return {H5Tcopy(type), H5Tclose, core::ErrorKind::kInternal, "number type"}; }

}  // namespace

void throw_hdf5(core::ErrorKind kind, const std::string& context) {
  Origin origin;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &origin);
  if (origin.is_of_driver) core::throw_error(kind_of_hdf5_driver(), origin.reason);
  if (origin.reason.empty()) origin.reason = "no reason given";
  core::throw_error(kind, fmt::format("{} (HDF5: {})", context, origin.reason));
}

Hdf5Handle::Hdf5Handle(hid_t id, herr_t (*release)(hid_t), core::ErrorKind kind, const std::string& context)
    : id_(id), release_(release) {
  if (id < 0) throw_hdf5(kind, context);
}

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), release_(other.release_) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(release_, other.release_);
  return *this;
}

Hdf5Handle::~Hdf5Handle() {
  if (id_ >= 0) release_(id_);
}

void Hdf5Handle::close(const std::string& context) {
  hdf5_checked(release_(std::exchange(id_, H5I_INVALID_HID)), core::ErrorKind::kResource, context);
}

void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

namespace {

// Called before HDF5 opens the file of an external link.
herr_t refuse_external(const char*, const char*, const char*, const char*, unsigned*, hid_t, void* is_external) {
  *static_cast<bool*>(is_external) = true;
  return -1;
}

// The error for an object behind an external link. `name` may be that link, or a soft link on the way to it.
[[noreturn]] void throw_external(hid_t file, const std::string& name, const std::string& path) {
  H5L_info_t info;
  std::vector<char> value;
  const char *target = nullptr, *object = nullptr;
  unsigned flags = 0;
  if (H5Lget_info(file, name.c_str(), &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_EXTERNAL) {
    value.resize(info.u.val_size);
    if (H5Lget_val(file, name.c_str(), value.data(), value.size(), H5P_DEFAULT) < 0 ||
        H5Lunpack_elink_val(value.data(), value.size(), &flags, &target, &object) < 0)
      target = nullptr;
  }
  std::error_code ignored;
  if (target != nullptr && !std::filesystem::exists(std::filesystem::path(path).parent_path() / target, ignored))
    throw core::InputError(fmt::format(
        "'{}': '{}' is an external link to '{}' in '{}', which does not exist: copy that file to its place, "
        "and its data into this one, for example with h5copy",
        path, name, core::excerpt(object), core::excerpt(target)));
  throw core::InputError(fmt::format(
      "'{}': '{}' is a link to another file: use that file, or copy its data into this one, for example with h5copy",
      path, name));
}

// Opens an object with open(access properties). Throws InputError for links to other files, which HDF5 would open
// whatever they are: a FIFO blocks.
template <class Open>
Hdf5Handle open_inside(hid_t file, hid_t access_class, const Open& open, herr_t (*release)(hid_t),
                       const std::string& name, const std::string& path, const char* what) {
  const std::string context = fmt::format("'{}': '{}' cannot be opened as a {}", path, name, what);
  const Hdf5Handle access(H5Pcreate(access_class), H5Pclose, core::ErrorKind::kInternal, context);
  bool is_external = false;
  hdf5_checked(H5Pset_elink_cb(access.get(), refuse_external, &is_external), core::ErrorKind::kInternal, context);
  const hid_t object = open(access.get());
  if (is_external) throw_external(file, name, path);
  return {object, release, core::ErrorKind::kInput, context};
}

}  // namespace

bool hdf5_has_object(hid_t file, const std::string& name) { return H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0; }

Hdf5Handle open_hdf5_dataset(hid_t file, const std::string& name, const std::string& path) {
  if (!hdf5_has_object(file, name))
    throw core::InputError(
        fmt::format("'{}' has no dataset '{}': run armilla inspect to list its contents", path, name));
  Hdf5Handle dataset = open_inside(
      file, H5P_DATASET_ACCESS, [&](hid_t access) { return H5Dopen2(file, name.c_str(), access); }, H5Dclose, name,
      path, "dataset");
  // Checked first, because H5Dget_space() may open the files of a virtual dataset.
  const std::string context = fmt::format("'{}': dataset '{}'", path, name);
  const Hdf5Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose, core::ErrorKind::kInput, context);
  if (H5Pget_layout(properties.get()) == H5D_VIRTUAL || H5Pget_external_count(properties.get()) > 0)
    throw core::InputError(fmt::format(
        "{} stores its data in other files: use a file that contains the data, for example one written by h5repack",
        context));
  return dataset;
}

Hdf5Handle open_hdf5_group(hid_t file, const std::string& name, const std::string& path) {
  return open_inside(
      file, H5P_GROUP_ACCESS, [&](hid_t access) { return H5Gopen2(file, name.c_str(), access); }, H5Gclose, name, path,
      "group");
}

template <>
Hdf5Handle hdf5_memory_type<float>() {
  return copied(H5T_NATIVE_FLOAT);
}
template <>
Hdf5Handle hdf5_memory_type<double>() {
  return copied(H5T_NATIVE_DOUBLE);
}
template <>
Hdf5Handle hdf5_memory_type<std::complex<float>>() {
  return compound(H5T_NATIVE_FLOAT);
}
template <>
Hdf5Handle hdf5_memory_type<std::complex<double>>() {
  return compound(H5T_NATIVE_DOUBLE);
}

Hdf5Handle hdf5_real_file_type(core::Precision precision) {
  return copied(precision == core::Precision::kSingle ? H5T_IEEE_F32LE : H5T_IEEE_F64LE);
}

Hdf5Handle hdf5_complex_file_type(core::Precision precision) {
  return compound(precision == core::Precision::kSingle ? H5T_IEEE_F32LE : H5T_IEEE_F64LE);
}

}  // namespace armilla::io

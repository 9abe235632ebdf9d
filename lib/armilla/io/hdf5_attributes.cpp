#include <armilla/core/text.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/polarisation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr Index kMostValues = Index{1} << 20;  // of an attribute

std::string place(const std::string& name, const std::string& path) {
  return fmt::format("'{}': attribute {}", path, name);
}

struct Attribute {
  std::string context;  // for messages
  Hdf5Handle handle, type;
};

// std::nullopt if the object has no such attribute.
std::optional<Attribute> open_attribute(hid_t object, const std::string& name, const std::string& path) {
  if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
  const std::string context = place(name, path);
  Hdf5Handle handle(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, kInput, context + " cannot be opened");
  Hdf5Handle type(H5Aget_type(handle.get()), H5Tclose, kInput, context);
  return Attribute{context, std::move(handle), std::move(type)};
}

Index count_of(const Attribute& attribute) {
  const std::string& context = attribute.context;
  const Hdf5Handle space(H5Aget_space(attribute.handle.get()), H5Sclose, kInput, context);
  const auto count = static_cast<Index>(hdf5_checked(H5Sget_simple_extent_npoints(space.get()), kInput, context));
  if (count > kMostValues)
    throw core::InputError(
        fmt::format("{} has {} values, but at most {} are supported: write fewer", context, count, kMostValues));
  return count;
}

// The memory type of text is that of the file, because HDF5 does not convert between character sets.
void read_attribute(const Attribute& attribute, hid_t memory_type, void* out) {
  hdf5_checked(H5Aread(attribute.handle.get(), memory_type, out), kInput, attribute.context);
}

std::vector<std::string> read_variable(const Attribute& attribute) {
  std::vector<char*> pointers(static_cast<std::size_t>(count_of(attribute)), nullptr);
  read_attribute(attribute, attribute.type.get(), pointers.data());
  std::vector<std::string> texts;
  for (char* pointer : pointers) {
    texts.push_back(trimmed(pointer != nullptr ? pointer : ""));
    H5free_memory(pointer);
  }
  return texts;
}

std::vector<std::string> read_fixed(const Attribute& attribute) {
  const std::size_t length = H5Tget_size(attribute.type.get());
  std::string bytes(length * static_cast<std::size_t>(count_of(attribute)), '\0');
  read_attribute(attribute, attribute.type.get(), bytes.data());
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < bytes.size(); begin += length) {
    const std::string part = bytes.substr(begin, length);
    texts.push_back(trimmed(part.substr(0, part.find('\0'))));
  }
  return texts;
}

// Writes a scalar, or `count` values.
void write_attribute(hid_t object, const std::string& name, hid_t file_type, hid_t memory_type, const void* value,
                     std::optional<hsize_t> count = std::nullopt) {
  const std::string context = fmt::format("attribute {} cannot be written", name);
  const Hdf5Handle space(count ? H5Screate_simple(1, &*count, nullptr) : H5Screate(H5S_SCALAR), H5Sclose, kResource,
                         context);
  const Hdf5Handle attribute(H5Acreate2(object, name.c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose, kResource, context);
  hdf5_checked(H5Awrite(attribute.get(), memory_type, value), kResource, context);
}

double number_of_text(const std::string& text, const Attribute& attribute) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0')
    throw core::InputError(fmt::format("{} = '{}' is not a number: write it as an integer or floating-point scalar",
                                       attribute.context, core::excerpt(text)));
  return value;
}

// Variable-length UTF-8.
Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, core::ErrorKind::kInternal, "text type");
  hdf5_checked(H5Tset_size(type.get(), H5T_VARIABLE), core::ErrorKind::kInternal, "text type");
  hdf5_checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), core::ErrorKind::kInternal, "text type");
  return type;
}

}  // namespace

std::optional<double> read_hdf5_number(hid_t object, const std::string& name, const std::string& path) {
  const std::optional<Attribute> attribute = open_attribute(object, name, path);
  if (!attribute) return std::nullopt;
  const H5T_class_t kind = H5Tget_class(attribute->type.get());
  if (kind == H5T_STRING && count_of(*attribute) == 1)
    return number_of_text(read_hdf5_text(object, name, path), *attribute);
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || count_of(*attribute) != 1)
    throw core::InputError(attribute->context +
                           " is not a single number: write it as an integer or floating-point scalar");
  double value = 0;
  read_attribute(*attribute, H5T_NATIVE_DOUBLE, &value);
  return value;
}

std::optional<Index> read_hdf5_index(hid_t object, const std::string& name, const std::string& path) {
  const std::optional<double> value = read_hdf5_number(object, name, path);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || std::abs(*value) > 9e15)
    throw core::InputError(fmt::format("{} = {} is not an integer: store it as an integer", place(name, path), *value));
  return static_cast<Index>(*value);
}

std::vector<std::string> read_hdf5_texts(hid_t object, const std::string& name, const std::string& path) {
  const std::optional<Attribute> attribute = open_attribute(object, name, path);
  if (!attribute) return {};
  if (H5Tget_class(attribute->type.get()) != H5T_STRING)
    throw core::InputError(attribute->context + " is not a string: store it as a string");
  return H5Tis_variable_str(attribute->type.get()) > 0 ? read_variable(*attribute) : read_fixed(*attribute);
}

std::vector<Index> read_hdf5_indices(hid_t object, const std::string& name, const std::string& path) {
  const std::optional<Attribute> attribute = open_attribute(object, name, path);
  if (!attribute) return {};
  if (H5Tget_class(attribute->type.get()) != H5T_INTEGER)
    throw core::InputError(attribute->context + " does not contain integers: write it as an array of integers");
  std::vector<Index> values(static_cast<std::size_t>(count_of(*attribute)));
  read_attribute(*attribute, H5T_NATIVE_INT64, values.data());
  return values;
}

std::string read_hdf5_text(hid_t object, const std::string& name, const std::string& path) {
  const std::vector<std::string> texts = read_hdf5_texts(object, name, path);
  return texts.empty() ? std::string() : texts.front();
}

void write_hdf5_index(hid_t object, const std::string& name, Index value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void write_hdf5_number(hid_t object, const std::string& name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void write_hdf5_text(hid_t object, const std::string& name, const std::string& value) {
  const Hdf5Handle type = text_type();
  const char* pointer = value.c_str();
  write_attribute(object, name, type.get(), type.get(), &pointer);
}

void write_hdf5_texts(hid_t object, const std::string& name, const std::vector<std::string>& values) {
  const Hdf5Handle type = text_type();
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  write_attribute(object, name, type.get(), type.get(), pointers.data(), pointers.size());
}

void write_hdf5_indices(hid_t object, const std::string& name, const std::vector<Index>& values) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), values.size());
}

std::vector<std::string> read_hdf5_fields(hid_t dataset, std::vector<std::string> unnamed, const std::string& path) {
  const std::size_t components = unnamed.size();
  std::vector<std::string> names = read_hdf5_texts(dataset, "FIELDS", path);
  if (names.empty()) return unnamed;
  if (names.size() == 1 && components != 1) names = split_list(names.front());
  if (names.size() != components)
    throw core::InputError(fmt::format("'{}': FIELDS = '{}' names {} fields, but the dataset has {} components", path,
                                       core::excerpt(join_list(names)), names.size(), components));
  return names;
}

FieldMetadata read_hdf5_metadata(hid_t dataset, FileKind kind, Index components, const std::string& path) {
  FieldMetadata metadata;
  metadata.fields = read_hdf5_fields(
      dataset, kind == FileKind::kAlm ? default_alm_fields(components) : default_map_fields(components), path);
  const std::vector<Index> spins = read_hdf5_indices(dataset, "SPINS", path);
  if (!spins.empty() && static_cast<Index>(spins.size()) != components)
    throw core::InputError(
        fmt::format("'{}': SPINS has {} numbers, but the dataset has {} components: write one per component", path,
                    spins.size(), components));
  for (const Index spin : spins)
    if (spin < kUnknownSpin)
      throw core::InputError(fmt::format("'{}': SPINS contains {}: use spins of at least 0, or {} if a spin is unknown",
                                         path, spin, kUnknownSpin));
  if (spins.empty())
    set_spins_of_names(metadata, kind);
  else
    set_spins(metadata, spins);
  const std::vector<std::string> units = read_hdf5_texts(dataset, "UNITS", path);
  metadata.units = per_component(units, static_cast<std::size_t>(components));
  if (!units.empty() && metadata.units.empty())
    throw core::InputError(
        fmt::format("'{}': UNITS has {} texts, but the dataset has {} components: write one per component", path,
                    units.size(), components));
  metadata.units.resize(static_cast<std::size_t>(components));
  std::ranges::transform(metadata.units, metadata.units.begin(), unit_of);
  metadata.coordsys = coordsys_of(read_hdf5_text(dataset, "COORDSYS", path));
  metadata.polcconv = polcconv_of(read_hdf5_text(dataset, "POLCCONV", path));
  return metadata;
}

void write_hdf5_metadata(hid_t dataset, const FieldMetadata& metadata) {
  if (!metadata.fields.empty()) write_hdf5_texts(dataset, "FIELDS", metadata.fields);
  if (!metadata.spins.empty()) write_hdf5_indices(dataset, "SPINS", metadata.spins);
  const std::vector<std::string>& units = metadata.units;
  if (std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); }))
    write_hdf5_texts(dataset, "UNITS", units);
  if (!metadata.coordsys.empty()) write_hdf5_text(dataset, "COORDSYS", metadata.coordsys);
  if (const std::string polcconv = polcconv_to_write(metadata); !polcconv.empty())
    write_hdf5_text(dataset, "POLCCONV", polcconv);
}

}  // namespace armilla::io

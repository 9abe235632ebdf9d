#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "hdf5_image.hpp"

namespace armilla::fuzz {

namespace {

constexpr auto kAttributes = std::to_array<std::string_view>({
    "NSIDE", "ORDERING", "COORDSYS", "POLCCONV", "BAD_DATA", "FIELDS",   "UNITS",  "LMAX", "MMAX",
    "NORM",  "PHASE",    "BASIS",    "SPINS",    "kind",     "nside",    "nlat",   "nphi", "rule",
    "npix",  "first",    "last",     "UNIT",     "LABEL",    "latitude", "ranges",
});

constexpr auto kObjects = std::to_array<std::string_view>({
    "map",   "alm",  "cl",         "mean",      "covariance", "count",       "present",
    "label", "grid", "grid/theta", "grid/phi0", "grid/nphi",  "grid/weight", "grid/ring",
    "theta", "phi",  "values",     "RA",        "Dec",        "other",
});

constexpr auto kTexts = std::to_array<std::string_view>({
    "RING",
    "rad",
    "deg",
    "NESTED",
    "G",
    "C",
    "E",
    "COSMO",
    "IAU",
    "orthonormal",
    "4pi",
    "schmidt",
    "unnormalised",
    "condon-shortley",
    "none",
    "complex",
    "real",
    "healpix",
    "gauss",
    "equiangular",
    "rings",
    "cc",
    "f1",
    "octahedral",
    "reduced_gauss",
    "T",
    "Q",
    "TT",
    "",
    "\xff\xfe",
    "uK",
    "a text that is longer than any name that a program would have expected to find here",
});

void add_attribute(hid_t object, const char* name, Random& random) {
  H5Adelete(object, name);
  const hsize_t count = random.of<hsize_t>({0, 1, 1, 1, 2, 3, 4, 7});
  const bool scalar = random.one_in(2);
  const Handle space(random.one_in(20) ? H5Screate(H5S_NULL)
                     : scalar          ? H5Screate(H5S_SCALAR)
                                       : H5Screate_simple(1, &count, nullptr),
                     H5Sclose);
  std::array<std::int64_t, 8> wholes{};
  std::array<double, 8> numbers{};
  for (auto& whole : wholes) whole = random.whole();
  for (auto& number : numbers) number = random.number();
  const auto create = [&](hid_t type) { return H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT); };
  switch (random.below(7)) {
    case 0: {  // texts of fixed length, as many as there are
      const std::string_view text = random.of(std::span<const std::string_view>(kTexts));
      const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
      H5Tset_size(type, std::max<std::size_t>(1, text.size()));
      if (random.one_in(2)) H5Tset_strpad(type, H5T_STR_SPACEPAD);
      const Handle attribute(create(type), H5Aclose);
      std::string values;
      for (int i = 0; i < 8; ++i) values += text.empty() ? "x" : std::string(text);
      H5Awrite(attribute, type, values.data());
      break;
    }
    case 1: {
      const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
      H5Tset_size(type, H5T_VARIABLE);
      if (random.one_in(2)) H5Tset_cset(type, H5T_CSET_UTF8);
      const Handle attribute(create(type), H5Aclose);
      std::array<const char*, 8> values{};
      for (auto& value : values)
        value = random.one_in(10) ? nullptr : random.of(std::span<const std::string_view>(kTexts)).data();
      H5Awrite(attribute, type, values.data());
      break;
    }
    case 2: {
      const Handle attribute(create(random.of({H5T_IEEE_F64LE, H5T_IEEE_F32BE, H5T_IEEE_F32LE})), H5Aclose);
      H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers.data());
      break;
    }
    case 3: {  // what nobody reads
      const Handle type(random.one_in(2) ? H5Tcreate(H5T_OPAQUE, 8) : H5Tvlen_create(H5T_NATIVE_DOUBLE), H5Tclose);
      const Handle attribute(create(type), H5Aclose);
      break;
    }
    default: {
      const Handle attribute(create(random.of({H5T_STD_I64LE, H5T_STD_I32LE, H5T_STD_U8LE, H5T_STD_U64BE})), H5Aclose);
      H5Awrite(attribute, H5T_NATIVE_INT64, wholes.data());
    }
  }
}

void change_attribute(hid_t object, Random& random) {
  const int count = H5Aget_num_attrs(object);  // NOLINT
  std::string name(random.of(std::span<const std::string_view>(kAttributes)));
  std::array<char, 100> found{};
  if (count > 0 && !random.one_in(4) &&
      H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, random.below(static_cast<std::size_t>(count)),
                         found.data(), found.size(), H5P_DEFAULT) >= 0)
    name = found.data();
  if (random.one_in(6))
    H5Adelete(object, name.c_str());
  else if (random.one_in(8))
    H5Arename(object, name.c_str(), std::string(random.of(std::span<const std::string_view>(kAttributes))).c_str());
  else
    add_attribute(object, name.c_str(), random);
}

/// Replaces dataset `name` by one of another shape, type or layout, with the numbers that fit; its attributes are
/// those of the old one.
void remake(hid_t file, const std::string& name, Random& random) {
  std::vector<hsize_t> extent{12};
  std::vector<double> values;
  bool compound = false;
  {
    const Handle old(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(H5Dget_space(old), H5Sclose);
    const Handle type(H5Dget_type(old), H5Tclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (old >= 0 && rank > 0) {
      extent.resize(static_cast<std::size_t>(rank));
      H5Sget_simple_extent_dims(space, extent.data(), nullptr);
    }
    const hssize_t size = H5Sget_simple_extent_npoints(space);
    compound = H5Tget_class(type) == H5T_COMPOUND;
    if (old >= 0 && size > 0 && size < 10000 && !compound) {
      values.resize(static_cast<std::size_t>(size));
      H5Dread(old, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
  }
  bool huge = false;
  switch (random.below(8)) {
    case 0:
      extent.insert(extent.begin(), random.of<hsize_t>({1, 2, 3, 0}));
      break;
    case 1:
      if (extent.size() > 1) extent.erase(extent.begin());
      break;
    case 2:
      std::ranges::reverse(extent);
      break;
    case 3:
      extent[random.below(extent.size())] += random.of<hsize_t>({1, 2, 11});
      break;
    case 4:
      extent[random.below(extent.size())] = random.of<hsize_t>({0, 1, 2, 3, 12, 48, 192});
      break;
    case 5:
      extent[random.below(extent.size())] = hsize_t{1} << random.below(50);
      huge = true;
      break;
    default:
      break;
  }
  hsize_t size = 1;
  for (const hsize_t count : extent) size = count > 1000000 ? 1000000 : size * count;
  if (size > 20000) huge = true;
  if (!huge) values.resize(size, 0.25);

  const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  std::vector<hsize_t> chunk = extent;
  for (hsize_t& count : chunk) count = std::clamp<hsize_t>(random.one_in(2) ? count : (count + 1) / 2, 1, 4096);
  if (huge || random.one_in(3)) {
    H5Pset_chunk(layout, static_cast<int>(chunk.size()), chunk.data());
    if (random.one_in(2)) H5Pset_deflate(layout, 6);
    if (random.one_in(4)) H5Pset_shuffle(layout);
    if (random.one_in(4)) H5Pset_fletcher32(layout);
  } else if (random.one_in(4)) {
    H5Pset_layout(layout, H5D_COMPACT);
  } else if (random.one_in(8)) {
    H5Pset_external(layout, "/proc/self/exe", 0, H5F_UNLIMITED);
  }
  std::vector<hsize_t> largest = extent;
  if (random.one_in(4)) largest.front() = H5S_UNLIMITED;
  const Handle space(random.one_in(20)
                         ? H5Screate(H5S_SCALAR)
                         : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), largest.data()),
                     H5Sclose);
  const Handle pair(H5Tcreate(H5T_COMPOUND, 16), H5Tclose);
  H5Tinsert(pair, random.one_in(8) ? "real" : "r", 0, random.one_in(8) ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
  H5Tinsert(pair, "i", 8, H5T_NATIVE_DOUBLE);
  const hid_t simple = random.of({H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE, H5T_STD_I64LE,
                                  H5T_STD_I32BE, H5T_STD_U8LE, H5T_STD_U64LE, H5T_C_S1});
  const bool keeps_pairs = compound != random.one_in(8);
  const hid_t type = keeps_pairs ? static_cast<hid_t>(pair) : random.one_in(2) ? H5T_IEEE_F64LE : simple;

  const std::string made = name + "_new";
  H5Ldelete(file, made.c_str(), H5P_DEFAULT);
  {
    const Handle old(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle fresh(H5Dcreate2(file, made.c_str(), type, space, H5P_DEFAULT, layout, H5P_DEFAULT), H5Dclose);
    if (fresh < 0) return;
    if (!huge && !keeps_pairs && H5Sget_simple_extent_npoints(space) <= std::ssize(values))
      H5Dwrite(fresh, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    // Attributes go over one by one, as far as they are small.
    const int count = old < 0 ? 0 : H5Aget_num_attrs(old);  // NOLINT
    for (int i = 0; i < std::min(count, 20); ++i) {
      const Handle from(
          H5Aopen_by_idx(old, ".", H5_INDEX_NAME, H5_ITER_INC, static_cast<hsize_t>(i), H5P_DEFAULT, H5P_DEFAULT),
          H5Aclose);
      std::array<char, 100> attribute{};
      H5Aget_name(from, attribute.size(), attribute.data());
      const Handle attribute_type(H5Aget_type(from), H5Tclose);
      const Handle attribute_space(H5Aget_space(from), H5Sclose);
      std::vector<char> content(std::min<hsize_t>(H5Aget_storage_size(from) + 64, 65536));
      if (H5Aget_storage_size(from) > 60000 || H5Tdetect_class(attribute_type, H5T_VLEN) > 0 ||
          H5Tis_variable_str(attribute_type) > 0)
        continue;
      const Handle to(H5Acreate2(fresh, attribute.data(), attribute_type, attribute_space, H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
      if (H5Aread(from, attribute_type, content.data()) >= 0) H5Awrite(to, attribute_type, content.data());
    }
  }
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  H5Lmove(file, made.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
}

void change_numbers(hid_t file, const std::string& name, Random& random) {
  const Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hssize_t size = H5Sget_simple_extent_npoints(space);
  if (dataset < 0 || size <= 0 || size > 10000) return;
  std::vector<double> values(static_cast<std::size_t>(size));
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return;
  for (std::size_t i = 0, changes = 1 + random.below(3); i < changes; ++i)
    values[random.below(values.size())] = random.one_in(2) ? random.number() : static_cast<double>(random.whole());
  if (random.one_in(8)) std::ranges::sort(values);
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void change_links(hid_t file, const std::string& name, Random& random) {
  const std::string other(random.of(std::span<const std::string_view>(kObjects)));
  switch (random.below(6)) {
    case 0:
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      break;
    case 1:
      H5Lmove(file, name.c_str(), file, other.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 2:
      H5Ocopy(file, name.c_str(), file, other.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 3:
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      H5Lcreate_soft(other.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 4:
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      H5Lcreate_external("image", other.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    default: {
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      const Handle group(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    }
  }
}

}  // namespace

void mutate_hdf5(Bytes& file, std::size_t, Random& random, const ByteMutator&) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle image(open_image(file), H5Fclose);
  if (image < 0) return;
  for (std::size_t i = 0, changes = 1 + random.below(3); i < changes; ++i) {
    const auto names = links(image);
    if (names.empty()) return;
    const std::string& name = names[random.below(names.size())];
    switch (random.below(8)) {
      case 0:
        change_links(image, name, random);
        break;
      case 1:
      case 2:
        change_numbers(image, name, random);
        break;
      case 3:
      case 4:
        remake(image, name, random);
        break;
      default: {
        const Handle object(H5Oopen(image, name.c_str(), H5P_DEFAULT), H5Oclose);
        if (object >= 0) change_attribute(object, random);
      }
    }
  }
  H5Fflush(image, H5F_SCOPE_LOCAL);
  file = compact(image);
}

}  // namespace armilla::fuzz

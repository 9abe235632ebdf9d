#include <armilla/io/field_names.hpp>
#include <armilla/io/hdf5_alm.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kDataset = "alm";

core::Precision complex_precision(hid_t dataset, const std::string& path) {
  const std::string context = fmt::format("'{}': dataset 'alm'", path);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, core::ErrorKind::kInput, context);
  const bool pair = H5Tget_class(type.get()) == H5T_COMPOUND && H5Tget_nmembers(type.get()) == 2 &&
                    H5Tget_member_index(type.get(), "r") >= 0 && H5Tget_member_index(type.get(), "i") >= 0;
  if (!pair || H5Tget_member_class(type.get(), 0) != H5T_FLOAT || H5Tget_member_class(type.get(), 1) != H5T_FLOAT)
    throw core::InputError(context + " does not hold complex numbers: write a compound {r, i} of floats, as h5py does");
  return H5Tget_size(type.get()) <= 8 ? core::Precision::kSingle : core::Precision::kDouble;
}

void require_convention(hid_t dataset, const char* name, const std::string& expected, const std::string& path) {
  const std::string text = read_hdf5_text(dataset, name, path);
  if (text.empty() || upper(text) == upper(expected)) return;
  throw core::InputError(
      fmt::format("'{}': {} = '{}' is not read: convert the coefficients to {}", path, name, text, expected));
}

alm::AlmLayout layout_of(hid_t dataset, Index size, const std::string& path) {
  const std::optional<Index> lmax = read_hdf5_index(dataset, "LMAX", path);
  const std::optional<Index> mmax = read_hdf5_index(dataset, "MMAX", path);
  if (!lmax) {
    const Index implied = alm::AlmLayout::lmax_of_size(size);
    if (implied < 0 || (mmax && *mmax != implied))
      throw core::InputError(
          fmt::format("'{}': {} coefficients stand for no lmax with mmax = lmax: write LMAX and MMAX", path, size));
    return {implied, implied};
  }
  if (*lmax < 0 || mmax.value_or(0) < 0 || mmax.value_or(0) > *lmax)
    throw core::InputError(
        fmt::format("'{}': LMAX = {} and MMAX = {} must obey 0 <= MMAX <= LMAX", path, *lmax, mmax.value_or(*lmax)));
  const alm::AlmLayout layout(*lmax, mmax.value_or(*lmax));
  if (layout.size() != size)
    throw core::InputError(
        fmt::format("'{}': LMAX = {} and MMAX = {} need {} coefficients, but dataset 'alm' has {} of each component",
                    path, layout.lmax(), layout.mmax(), layout.size(), size));
  return layout;
}

// For each own m of `rank`, l = m .. target's lmax, where they stand in a row of layout `stored`.
std::vector<dist::PixelRange> ranges_of(const dist::AlmDistribution& target, int rank, const alm::AlmLayout& stored) {
  std::vector<dist::PixelRange> ranges;
  for (const Index m : target.local_m(rank)) ranges.push_back({stored.index(m, m), target.layout().lmax() - m + 1});
  return ranges;
}

}  // namespace

AlmInfo open_hdf5_alm(const std::string& path) {
  const Hdf5Handle file = open_hdf5(path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kDataset, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), kDataset, path);
  AlmInfo info;
  info.path = path;
  info.format = Format::kHdf5;
  info.components = shape.rows;
  info.precision = complex_precision(dataset.get(), path);
  const alm::AlmLayout layout = layout_of(dataset.get(), shape.columns, path);
  info.lmax = layout.lmax();
  info.mmax = layout.mmax();
  require_convention(dataset.get(), "NORM", "orthonormal", path);
  require_convention(dataset.get(), "PHASE", "condon-shortley", path);
  info.metadata = read_hdf5_metadata(dataset.get(), default_alm_fields(info.components), path);
  return info;
}

template <class T>
void read_hdf5_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
                   std::span<std::complex<T>> out) {
  const Hdf5Handle file = open_hdf5(info.path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kDataset, info.path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), kDataset, info.path);
  const alm::AlmLayout stored(info.lmax, info.mmax);
  if (shape.rows != info.components || shape.columns != stored.size())
    throw core::InputError(fmt::format("'{}' has changed since its header was read: run again", info.path));
  const std::vector<dist::PixelRange> ranges = joined(ranges_of(target, rank, stored));
  read_hdf5_ranges(dataset.get(), hdf5_memory_type<std::complex<T>>().get(), component, ranges, out.data(), info.path);
}

template <class T>
void write_hdf5_alm(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::AlmDistribution& alm, std::span<const std::complex<T>> local,
                    const WriteOptions& options) {
  const alm::AlmLayout& layout = alm.layout();
  const auto describe = [&](hid_t, hid_t dataset) {
    write_hdf5_index(dataset, "LMAX", layout.lmax());
    write_hdf5_index(dataset, "MMAX", layout.mmax());
    write_hdf5_text(dataset, "NORM", "orthonormal");
    write_hdf5_text(dataset, "PHASE", "condon-shortley");
    write_hdf5_metadata(dataset, metadata);
  };
  const Hdf5Plan plan{kDataset, static_cast<Index>(metadata.fields.size()), layout.size(),
                      hdf5_complex_file_type(options.precision), describe};
  write_hdf5_in_parallel(comm, file, plan, hdf5_memory_type<std::complex<T>>().get(),
                         ranges_of(alm, comm.rank(), layout), local.data());
}

template void read_hdf5_alm<float>(const AlmInfo&, Index, const dist::AlmDistribution&, int,
                                   std::span<std::complex<float>>);
template void read_hdf5_alm<double>(const AlmInfo&, Index, const dist::AlmDistribution&, int,
                                    std::span<std::complex<double>>);
template void write_hdf5_alm<float>(const comm::Communicator&, const AtomicFile&, const FieldMetadata&,
                                    const dist::AlmDistribution&, std::span<const std::complex<float>>,
                                    const WriteOptions&);
template void write_hdf5_alm<double>(const comm::Communicator&, const AtomicFile&, const FieldMetadata&,
                                     const dist::AlmDistribution&, std::span<const std::complex<double>>,
                                     const WriteOptions&);

}  // namespace armilla::io

#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/alm_file_layout.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/hdf5_alm.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_batch.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/placed_dataset.hpp>

#include <array>
#include <optional>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kAlmDataset = "alm";

core::Precision complex_precision(hid_t dataset, const std::string& path) {
  const std::string context = fmt::format("'{}': dataset 'alm'", path);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, core::ErrorKind::kInput, context);
  const bool pair = H5Tget_class(type.get()) == H5T_COMPOUND && H5Tget_nmembers(type.get()) == 2 &&
                    H5Tget_member_index(type.get(), "r") >= 0 && H5Tget_member_index(type.get(), "i") >= 0;
  if (!pair || H5Tget_member_class(type.get(), 0) != H5T_FLOAT || H5Tget_member_class(type.get(), 1) != H5T_FLOAT)
    throw core::InputError(context +
                           " does not contain complex numbers: write a compound {r, i} of floats, as h5py does");
  return H5Tget_size(type.get()) <= 8 ? core::Precision::kSingle : core::Precision::kDouble;
}

// The index among `names` of the value of attribute `name`; std::nullopt if the attribute is absent.
template <std::size_t N>
std::optional<std::size_t> said(hid_t dataset, const char* name, const std::array<const char*, N>& names,
                                const std::string& path) {
  const std::string text = read_hdf5_text(dataset, name, path);
  if (text.empty()) return std::nullopt;
  for (std::size_t i = 0; i < N; ++i)
    if (upper(text) == upper(names[i])) return i;
  throw core::InputError(fmt::format("'{}': {} = '{}' is not supported: write one of {}, or convert the coefficients",
                                     path, name, core::excerpt(text), fmt::join(names, ", ")));
}

void read_convention(hid_t dataset, const std::string& path, AlmInfo& info) {
  if (const auto norm = said(dataset, "NORM", alm::kNormNames, path)) {
    info.convention.norm = static_cast<alm::Norm>(*norm);
    info.says_norm = true;
  }
  if (const auto phase = said(dataset, "PHASE", alm::kPhaseNames, path)) {
    info.convention.phase = static_cast<alm::Phase>(*phase);
    info.says_phase = true;
  }
  if (const auto basis = said(dataset, "BASIS", alm::kBasisNames, path)) {
    info.convention.basis = static_cast<alm::Basis>(*basis);
    info.says_basis = true;
  }
}

alm::AlmLayout layout_of(hid_t dataset, Index size, const std::string& path) {
  const std::optional<Index> lmax = read_hdf5_index(dataset, "LMAX", path);
  const std::optional<Index> mmax = read_hdf5_index(dataset, "MMAX", path);
  if (!lmax) {
    const Index implied = alm::AlmLayout::lmax_of_size(size);
    if (implied < 0 || (mmax && *mmax != implied))
      throw core::InputError(fmt::format(
          "'{}': {} coefficients do not correspond to any lmax with mmax = lmax: write LMAX and MMAX", path, size));
    return {implied, implied};
  }
  const alm::AlmLayout layout = alm_file_layout(path, "LMAX", *lmax, "MMAX", mmax.value_or(*lmax));
  if (layout.size() != size)
    throw core::InputError(
        fmt::format("'{}': LMAX = {} and MMAX = {} need {} coefficients, but dataset 'alm' has {} per component", path,
                    layout.lmax(), layout.mmax(), layout.size(), size));
  return layout;
}

}  // namespace

std::vector<core::IndexRange> alm_ranges(const dist::AlmDistribution& target, int rank, const alm::AlmLayout& stored) {
  std::vector<core::IndexRange> ranges;
  for (const Index m : target.local_m(rank)) ranges.push_back({stored.index(m, m), target.layout().lmax() - m + 1});
  return ranges;
}

AlmInfo open_hdf5_alm(const std::string& path) {
  const Hdf5Handle file = open_hdf5(path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kAlmDataset, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), kAlmDataset, path);
  AlmInfo info;
  info.path = path;
  info.format = Format::kHdf5;
  info.components = shape.rows;
  info.batch = read_batch_axis(file.get(), shape, path);
  info.precision = complex_precision(dataset.get(), path);
  const alm::AlmLayout layout = layout_of(dataset.get(), shape.columns, path);
  info.lmax = layout.lmax();
  info.mmax = layout.mmax();
  read_convention(dataset.get(), path, info);
  check_hdf5_counts(shape, kAlmDataset, path);
  info.metadata = read_hdf5_metadata(dataset.get(), FileKind::kAlm, info.components, path);
  return info;
}

template <class T>
void read_hdf5_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
                   std::span<std::complex<T>> out) {
  const Hdf5Handle file = open_hdf5(info.path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kAlmDataset, info.path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), kAlmDataset, info.path);
  const alm::AlmLayout stored(info.lmax, info.mmax);
  if (shape.rows != info.components || shape.columns != stored.size() || shape.maps != info.batch.maps)
    throw_changed(info.path);
  const std::vector<core::IndexRange> ranges = joined(alm_ranges(target, rank, stored));
  read_hdf5_ranges(dataset.get(), hdf5_memory_type<std::complex<T>>().get(),
                   info.batch.map * info.components + component, ranges, out.data(), info.path);
}

Hdf5Plan hdf5_alm_plan(const FieldMetadata& metadata, const alm::AlmLayout& layout, const WriteOptions& options) {
  const auto describe = [&metadata, &layout, &options](hid_t, hid_t dataset) {
    write_hdf5_index(dataset, "LMAX", layout.lmax());
    write_hdf5_index(dataset, "MMAX", layout.mmax());
    const alm::Convention& convention = options.convention;
    write_hdf5_text(dataset, "NORM", alm::kNormNames[static_cast<std::size_t>(convention.norm)]);
    write_hdf5_text(dataset, "PHASE", alm::kPhaseNames[static_cast<std::size_t>(convention.phase)]);
    write_hdf5_text(dataset, "BASIS", alm::kBasisNames[static_cast<std::size_t>(convention.basis)]);
    write_hdf5_metadata(dataset, metadata);
  };
  return {.dataset = kAlmDataset,
          .rows = static_cast<Index>(metadata.fields.size()),
          .columns = layout.size(),
          .file_type = hdf5_complex_file_type(options.precision),
          .describe = describe};
}

template <class T>
void write_hdf5_alm(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::AlmDistribution& alm, std::span<const std::complex<T>> local,
                    const WriteOptions& options) {
  const alm::AlmLayout& layout = alm.layout();
  const Hdf5Plan plan = hdf5_alm_plan(metadata, layout, options);
  PlacedDataset dataset(comm, file, plan);
  const std::vector<core::IndexRange> ranges = alm_ranges(alm, comm.rank(), layout);
  comm::phase(comm, [&] {
    const Hdf5Handle type = hdf5_memory_type<std::complex<T>>();
    const Index own = alm.local_size(comm.rank());
    for (Index row = 0; row < plan.rows; ++row)
      dataset.write_converted(0, row, ranges, type.get(), local.data() + row * own);
    dataset.finish();
  });
}

ARMILLA_INSTANTIATE(read_hdf5_alm);
ARMILLA_INSTANTIATE(write_hdf5_alm);

}  // namespace armilla::io

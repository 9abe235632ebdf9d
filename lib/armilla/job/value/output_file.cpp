#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/hdf5_alm.hpp>
#include <armilla/io/hdf5_map.hpp>
#include <armilla/io/hdf5_statistics.hpp>
#include <armilla/io/pixel_order.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/input_value.hpp>
#include <armilla/job/value/output_file.hpp>
#include <armilla/job/value/unit_powers.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Buffers of the FITS writers on the root: gathered, received and file-ordered blocks.
constexpr Index kStreamBytes = Index{48} << 20;

/// Factors of the components, or of spectra, that convert a value to the units of an output; empty if none is needed.
std::vector<double> factors_of(const OutputSpec& output, const ValueInfo& info) {
  std::vector<double> factors;
  if (output.units.empty()) return factors;
  bool converts = false;
  for (const std::string& unit : info.units) {
    factors.push_back(unit.empty() ? 1 : unit_factor(unit, output.units).value());
    converts = converts || factors.back() != 1;
  }
  if (!converts) return {};
  factors.resize(info.is_table() ? 1 : core::at(info.kind.components()), 1);
  return factors;
}

io::FieldMetadata metadata_of(const OutputSpec& output, const ValueInfo& info) {
  io::FieldMetadata metadata{.units = info.units, .coordsys = info.coordsys};
  if (!output.units.empty()) metadata.units.assign(core::at(info.kind.components()), output.units);
  if (info.is_table()) return metadata;
  metadata.fields = info.sort == ValueSort::kAlm ? info.kind.alm_names() : info.kind.map_names();
  metadata.spins = info.kind.spins();
  return metadata;
}

io::WriteOptions options_of(const OutputSpec& output) {
  return {output.precision, output.ordering, output.convention.or_default()};
}

template <class To, class From>
void put_as(io::BatchFile& file, Index item, std::span<const dist::PixelRange> ranges, std::span<const From> numbers) {
  std::vector<To> stored(numbers.size());
  std::ranges::transform(numbers, stored.begin(), [](const From& number) { return static_cast<To>(number); });
  file.write(item, ranges, std::as_bytes(std::span<const To>(stored)));
}

/// Converts to the precision of the file.
template <class Number>
void put(io::BatchFile& file, Index item, std::span<const dist::PixelRange> ranges, std::span<const Number> numbers) {
  constexpr bool kIsReal = std::is_floating_point_v<Number>;
  if (file.precision() == core::Precision::kDouble)
    put_as<std::conditional_t<kIsReal, double, std::complex<double>>>(file, item, ranges, numbers);
  else
    put_as<std::conditional_t<kIsReal, float, std::complex<float>>>(file, item, ranges, numbers);
}

std::string spectra_unit(const OutputSpec& output, const ValueInfo& info) {
  if (!output.units.empty()) return output.units;
  return info.units.empty() ? "" : info.units.front();
}

/// The plan refers to the other arguments.
io::Hdf5Plan batch_plan(const ValueInfo& info, const io::FieldMetadata& metadata, const io::WriteOptions& options,
                        const alm::SpectraTable& spectra) {
  if (info.sort == ValueSort::kMap) return io::hdf5_map_plan(metadata, info.pixels->grid(), options);
  if (info.sort == ValueSort::kAlm) return io::hdf5_alm_plan(metadata, info.alm->layout(), options);
  return io::hdf5_spectra_plan(spectra);
}

void check_convention_of(const OutputSpec& output, const ValueInfo& value, io::Format format) {
  const alm::Convention convention = output.convention.or_default();
  if (convention == alm::Convention()) return;
  const Place& place = output.convention.place;
  if (value.sort != ValueSort::kAlm)
    complain(place, {},
             fmt::format("applies to alm only, but '{}' is of type {}: remove it", value.name, sort_name(value.sort)),
             core::ErrorContext::Form::kPredicate);
  if (format != io::Format::kHdf5)
    refuse(output.place, "file", output.file,
           fmt::format("cannot record the convention of its coefficients ({}): write .h5, or remove {}",
                       convention.text(), core::mention({}, "convention")));
  if (convention.norm == alm::Norm::kUnnormalised && output.precision == core::Precision::kSingle)
    refuse(place, "norm", "unnormalised",
           "exceeds the range of single precision: set " + core::mention({}, "precision", "double"));
  try {
    check_convention(convention, value.name, value.kind, value.alm->layout().lmax());
  } catch (const core::InputError& error) {
    refuse(place, "norm", alm::kNormNames[static_cast<std::size_t>(convention.norm)],
           fmt::format("is not possible: {}", marked_text(error)));
  }
}

void check_units_of(const OutputSpec& output, const ValueInfo& value) {
  if (output.units.empty()) return;
  if (value.sort == ValueSort::kStatistics || value.sort == ValueSort::kPoints)
    refuse(output.place, "units", output.units,
           fmt::format("does not apply to {}: {}", sort_name(value.sort),
                       value.sort == ValueSort::kPoints ? "remove it" : "convert the maps or alm first (step scale)"));
  for (const std::string& unit : value.units)
    if (!unit.empty() && !unit_factor(unit, output.units))
      refuse(output.place, "units", output.units,
             fmt::format("cannot be converted from {}, the unit of '{}': scale it first (step scale with {} and {})",
                         unit, value.name, core::mention({}, "factor"), core::mention({}, "units")));
}

// Before the run, which would otherwise fail when it writes.
void check_fits_texts(const OutputSpec& output, const ValueInfo& value) {
  std::vector<std::string> units = value.units;
  if (!output.units.empty()) units = {output.units};
  for (const std::string& unit : units)
    if (!io::fits_can_hold(io::fits_unit(unit)))
      refuse(output.place, "file", output.file,
             fmt::format("cannot hold the unit '{}' of '{}': write .h5, or use a unit of up to 68 ASCII characters",
                         unit, value.name));
}

}  // namespace

void check_output_format(const OutputSpec& output, const ValueInfo& value) {
  io::Format format = io::Format::kHdf5;
  bool fits = false;
  if (value.sort == ValueSort::kTable)
    refuse(output.place, "file", output.file,
           fmt::format("cannot be written, because '{}' is of type table: remove this output", value.name));
  try {
    if (has_points(value.sort))
      fits = io::point_format_of_name(output.file) == io::TableFormat::kFits;
    else if (value.is_table())
      format = io::spectra_format_of_name(output.file).value_or(format);
    else
      format = io::format_of_name(output.file);
  } catch (const core::InputError& error) {
    complain(output.place, "file", marked_text(error));
  }
  check_convention_of(output, value, format);
  check_units_of(output, value);
  if (fits || format == io::Format::kFits) check_fits_texts(output, value);
  if (value.sort != ValueSort::kMap) {
    if (output.ordering == io::Ordering::kNested)
      refuse(output.place, "ordering", "nested",
             fmt::format("applies to HEALPix maps only, but '{}' is of type {}: remove it", value.name,
                         sort_name(value.sort)));
    return;
  }
  const auto& about = value.pixels->grid().description();
  if (output.ordering == io::Ordering::kNested) {
    const char* const needs = !about.is_full_healpix()             ? "applies to full-sky HEALPix maps only"
                              : !io::has_nested_order(about.nside) ? "requires nside to be a power of two"
                                                                   : nullptr;
    if (needs != nullptr)
      refuse(output.place, "ordering", "nested",
             fmt::format("{}, but '{}' is on {}: remove it", needs, value.name, about.text()));
  }
  if (format == io::Format::kFits && about.kind != "healpix")
    refuse(
        output.place, "file", output.file,
        fmt::format("cannot store '{}' on {}, because FITS maps must be HEALPix: write .h5", value.name, about.text()));
}

bool can_have_batch_axis(const std::string& file) { return io::spectra_format_of_name(file) == io::Format::kHdf5; }

void check_output_place(const core::OutputPath& file) { io::check_output_place(file); }

bool stores_other_numbers(const OutputSpec& output, const ValueInfo& value) {
  return !(output.convention.or_default() == alm::Convention()) || value.has_bad || !factors_of(output, value).empty();
}

template <class T>
std::vector<std::complex<T>> as_stored(const OutputSpec& output, const ValueInfo& info,
                                       const transform::AlmField<T>& alm, Index place) {
  std::vector<std::complex<T>> stored =
      io::in_convention<T>(output.convention.or_default(), alm.distribution(), alm.rank(), numbers_of(alm, place));
  const std::vector<double> factors = factors_of(output, info);
  for (std::size_t i = 0; i < stored.size() && !factors.empty(); ++i)
    stored[i] *= static_cast<T>(factors[i / core::at(alm.local_size())]);
  return stored;
}

template <class T>
std::vector<T> as_stored(const OutputSpec& output, const ValueInfo& info, std::span<const T> numbers) {
  std::vector<T> stored(numbers.begin(), numbers.end());
  const std::vector<double> factors = factors_of(output, info);
  const std::size_t size = stored.size() / core::at(info.kind.components());
  for (std::size_t i = 0; i < stored.size() && !factors.empty(); ++i) stored[i] *= static_cast<T>(factors[i / size]);
  if (info.has_bad)
    std::ranges::replace_if(
        stored, [](T number) { return std::isnan(number); }, static_cast<T>(io::kBadPixel));
  return stored;
}

alm::SpectraTable as_stored(const OutputSpec& output, const ValueInfo& info, const alm::SpectraTable& table) {
  alm::SpectraTable stored = table;
  if (output.units.empty()) return stored;
  stored.unit = output.units;
  const std::vector<double> factors = factors_of(output, info);
  for (auto& column : stored.columns)
    for (double& number : column) number *= factors.empty() ? 1 : factors.front();
  return stored;
}

// NESTED order needs a whole component on the root three times (as received, in RING and in NESTED order), and the data
// that each rank sends once. FITS output passes through the root in blocks.
Index writer_bytes(const OutputSpec& output, const ValueInfo& value, Index bytes, Index number, int rank) {
  if (has_points(value.sort)) return rank == 0 ? std::min(bytes, kStreamBytes) : 0;
  if (output.ordering == io::Ordering::kNested)
    return number * (value.pixels->local_pixels(rank) + (rank == 0 ? 3 * value.pixels->grid().npix() : 0));
  if (io::format_of_name(output.file) == io::Format::kFits && rank == 0)
    return std::min(3 * bytes / value.kind.components(), kStreamBytes);
  return 0;
}

Index output_bytes(const OutputSpec& output, const ValueInfo& value) {
  const Index number = output.precision == core::Precision::kSingle ? 4 : 8;
  constexpr Index kHeaders = 8192;
  switch (value.sort) {
    case ValueSort::kMap: {
      const grid::RingGrid& grid = value.pixels->grid();
      const bool fits = io::format_of_name(output.file) == io::Format::kFits;
      const Index index = fits && !grid.description().is_whole() ? 8 : 0;
      return kHeaders + core::saturating_product(grid.npix(), value.kind.components() * number + index);
    }
    case ValueSort::kAlm: {
      const Index index = io::format_of_name(output.file) == io::Format::kFits ? 4 : 0;
      return kHeaders +
             core::saturating_product(value.alm->layout().size(), value.kind.components() * (2 * number + index));
    }
    case ValueSort::kPoints:
    case ValueSort::kValues:
      return io::points_file_bytes(output.file, value.catalogue->points, value.kind.components(), output.precision);
    default:
      break;
  }
  const Index mean = io::spectra_file_bytes(output.file, value.spectra, value.spectra_lmax);
  if (value.sort != ValueSort::kStatistics || io::spectra_format_of_name(output.file) != io::Format::kHdf5) return mean;
  const Index degrees = value.spectra_lmax + 1;
  return mean + static_cast<Index>(value.spectra.size()) * degrees * degrees * 8;  // and the covariance
}

namespace {

template <class T>
void write_alm_value(const comm::Communicator& comm, const core::OutputPath& file, const OutputSpec& output,
                     const ValueInfo& info, const transform::AlmField<T>& alm, Index place) {
  io::WriteOptions options = options_of(output);
  std::span<const std::complex<T>> numbers = numbers_of(alm, place);
  std::vector<std::complex<T>> converted;
  // The writer converts the convention.
  if (!factors_of(output, info).empty()) {
    OutputSpec units = output;
    units.convention = {};
    comm::phase(comm, [&] { converted = as_stored(units, info, alm, place); });
    numbers = converted;
  }
  io::write_alm<T>(comm, file, metadata_of(output, info), *info.alm, numbers, options);
}

}  // namespace

template <class T>
void write_value(const comm::Communicator& comm, const core::OutputPath& file, const OutputSpec& output,
                 const ValueInfo& info, const Value<T>& value, Index place) {
  const io::FieldMetadata metadata = metadata_of(output, info);
  const io::WriteOptions options = options_of(output);
  // The numbers, or a copy as the file stores them.
  std::vector<T> copy;
  const auto stored = [&](std::span<const T> numbers) {
    if (!stores_other_numbers(output, info)) return numbers;
    comm::phase(comm, [&] { copy = as_stored<T>(output, info, numbers); });
    return std::span<const T>(copy);
  };
  if (const auto* map = value.template find<transform::MapField<T>>()) {
    io::write_map<T>(comm, file, metadata, *info.pixels, stored(numbers_of(*map, place)), options);
  } else if (const auto* alm = value.template find<transform::AlmField<T>>()) {
    write_alm_value(comm, file, output, info, *alm, place);
  } else if (const auto* at_points = value.template find<points::PointField<T>>()) {
    io::write_points<T>(comm, file, metadata, at_points->points()->theta, at_points->points()->phi,
                        stored(numbers_of(*at_points, place)), options);
  } else {
    io::write_spectra(comm, file, as_stored(output, info, value.template get<Tables>()[core::at(place)]));
  }
}

BatchOutput::BatchOutput(const comm::Communicator& world, const core::OutputPath& file, const OutputSpec& output,
                         const ValueInfo& info, const std::vector<std::string>& labels)
    : output_(output), info_(info) {
  const io::FieldMetadata metadata = metadata_of(output, info);
  const io::WriteOptions options = options_of(output);
  const alm::SpectraTable spectra =
      io::in_file_order({info.spectra_lmax, info.spectra, {}, spectra_unit(output, info)});
  io::Hdf5Plan plan = batch_plan(info, metadata, options, spectra);
  plan.maps = static_cast<Index>(labels.size());
  file_ = std::make_unique<io::BatchFile>(world, file, std::move(plan), labels);
}

template <class T>
void BatchOutput::write(const Value<T>& value, Index place, Index item, bool is_root) {
  if (const auto* map = value.template find<transform::MapField<T>>()) {
    const std::span<const T> numbers = numbers_of(*map, place);
    const std::vector<T> other =
        stores_other_numbers(output_, info_) ? as_stored(output_, info_, numbers) : std::vector<T>();
    put(*file_, item, info_.pixels->pixel_ranges(map->rank()), other.empty() ? numbers : std::span<const T>(other));
  } else if (const auto* alm = value.template find<transform::AlmField<T>>()) {
    const std::vector<std::complex<T>> numbers = as_stored(output_, info_, *alm, place);
    put(*file_, item, io::alm_ranges(*info_.alm, alm->rank(), info_.alm->layout()),
        std::span<const std::complex<T>>(numbers));
  } else if (is_root) {
    const alm::SpectraTable table =
        io::in_file_order(as_stored(output_, info_, value.template get<Tables>()[core::at(place)]));
    std::vector<double> numbers;
    for (const auto& column : table.columns) numbers.insert(numbers.end(), column.begin(), column.end());
    const dist::PixelRange all{0, table.lmax + 1};
    put(*file_, item, {&all, 1}, std::span<const double>(numbers));
  }
  if (is_root) file_->mark_present(item);
}

ARMILLA_INSTANTIATE(write_value);
template std::vector<std::complex<float>> as_stored(const OutputSpec&, const ValueInfo&,
                                                    const transform::AlmField<float>&, Index);
template std::vector<std::complex<double>> as_stored(const OutputSpec&, const ValueInfo&,
                                                     const transform::AlmField<double>&, Index);
template std::vector<float> as_stored(const OutputSpec&, const ValueInfo&, std::span<const float>);
template std::vector<double> as_stored(const OutputSpec&, const ValueInfo&, std::span<const double>);
ARMILLA_INSTANTIATE(BatchOutput::write);

}  // namespace armilla::job

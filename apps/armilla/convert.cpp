#include <armilla/comm/communicator.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/log.hpp>
#include <armilla/io/bad_data.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/polarisation.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/spectra_rows.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/run/sample_checks.hpp>
#include <armilla/ops/nonfinite.hpp>
#include <armilla/ops/odd_samples.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "header_options.hpp"
#include "verbs.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::app {

namespace {

using core::Index;

struct ConvertArguments {
  std::string in, out;
  std::vector<std::string> columns;      ///< of spectra
  std::optional<bool> is_dl;             ///< whether spectra are l (l + 1) C_l / (2 pi)
  std::optional<io::Ordering> ordering;  ///< default: that of the input
  std::optional<core::Precision> precision;
  io::StatedHeader header;  ///< of a map
};

/// Throws InputError if conversion to single precision would turn finite values into infinities.
void check_range(const ConvertArguments& arguments, std::span<const double> numbers, core::Precision precision) {
  if (precision == core::Precision::kDouble) return;
  const Index lost = ops::count_nonfinite(numbers, core::Precision::kSingle).total() -
                     ops::count_nonfinite(numbers, core::Precision::kDouble).total();
  if (lost > 0)
    throw core::InputError(fmt::format(
        "{}: {} values exceed the range of single precision (3.4e38): use --precision double", arguments.in, lost));
}

/// The sign of a component as it is written: in COSMO if the file states which components are U, otherwise as stored.
io::Sign sign_of(const io::FieldMetadata& metadata, Index component) {
  return io::converts_to_cosmo(metadata) ? io::sign_to_cosmo(metadata, static_cast<std::size_t>(component))
                                         : io::Sign::kAsStored;
}

/// The metadata of the output. Prints a message if it remains in the IAU convention.
io::FieldMetadata converted(const std::string& file, io::FieldMetadata metadata) {
  if (!io::converts_to_cosmo(metadata))
    core::log().info("{}: POLCCONV = IAU is kept, because the file does not state which of its components are Q and U",
                     file);
  else if (!metadata.polcconv.empty())
    metadata.polcconv = "COSMO";
  return metadata;
}

void convert_map(const ConvertArguments& arguments) {
  const io::MapInfo info = io::open_map(arguments.in, io::BatchPolicy::kRefuse, arguments.header);
  const io::WriteOptions options{arguments.precision.value_or(info.precision),
                                 arguments.ordering.value_or(info.ordering)};
  const dist::PixelDistribution pixels(info.grid, 1);
  const Index npix = info.grid->npix();
  core::AlignedBuffer<double> values(npix * info.components);
  const auto ranges = pixels.pixel_ranges(0);
  for (Index c = 0; c < info.components; ++c)
    io::read_map<double>(info, c, ranges,
                         values.span().subspan(static_cast<std::size_t>(c * npix), static_cast<std::size_t>(npix)),
                         io::BadDataPolicy::kKeep, sign_of(info.metadata, c));
  check_range(arguments, values.span(), options.precision);
  const io::FieldMetadata metadata = converted(arguments.in, info.metadata);
  io::write_map<double>(comm::Communicator::self(), arguments.out, metadata, pixels, values.span(), options);
}

void convert_alm(const ConvertArguments& arguments) {
  const io::AlmInfo info = io::open_alm(arguments.in);
  const auto whole = std::make_shared<const dist::AlmDistribution>(alm::AlmLayout(info.lmax, info.mmax), 1);
  std::vector<transform::FieldKind> components;  // whose spins may be unknown
  for (Index c = 0; c < info.components; ++c)
    components.push_back(transform::FieldKind::scalar("component " + io::field_text(info.metadata, c)));
  transform::AlmField<double> alm(transform::FieldKind::joined(components), whole, 0, 1);
  for (Index c = 0; c < info.components; ++c) io::read_alm<double>(info, c, *whole, 0, alm.component(0, c));
  const std::string warning = job::imaginary_warning(alm.kind(), ops::largest_imaginary_m0(alm, 0),
                                                     ops::largest_coefficients(alm, 0), info.precision, arguments.in);
  if (!warning.empty()) core::log().warn(warning);
  ops::drop_imaginary_m0(alm, 0);
  const std::span<const std::complex<double>> values = alm.data();
  const core::Precision precision = arguments.precision.value_or(info.precision);
  check_range(arguments, {reinterpret_cast<const double*>(values.data()), 2 * values.size()}, precision);
  io::write_alm<double>(comm::Communicator::self(), arguments.out, info.metadata, *whole, values,
                        {.precision = precision});
}

void convert_points(const ConvertArguments& arguments) {
  const io::PointsInfo info = io::open_points(arguments.in);
  io::check_output(arguments.out, io::FileKind::kPoints, nullptr);
  const auto points = static_cast<std::size_t>(info.points);
  core::AlignedBuffer<double> theta(info.points), phi(info.points), values(info.points * info.components);
  io::read_places(info, 0, theta.span(), phi.span());
  for (Index c = 0; c < info.components; ++c)
    io::read_values<double>(info, c, 0, values.span().subspan(static_cast<std::size_t>(c) * points, points),
                            io::BadDataPolicy::kKeep, sign_of(info.metadata, c));
  const core::Precision precision = arguments.precision.value_or(info.precision);
  check_range(arguments, values.span(), precision);
  const io::FieldMetadata metadata = converted(arguments.in, info.metadata);
  io::write_points<double>(comm::Communicator::self(), arguments.out, metadata, theta.span(), phi.span(), values.span(),
                           {.precision = precision});
}

void convert_spectra(const ConvertArguments& arguments) {
  const bool is_text = io::open_spectra(arguments.in, arguments.columns).format == io::TableFormat::kText;
  if (is_text && !arguments.is_dl)
    throw core::InputError(
        fmt::format("{}: a text does not say whether it contains C_l: add --spectrum-kind dl if its columns contain "
                    "l (l + 1) / (2 pi) C_l, otherwise --spectrum-kind cl",
                    arguments.in));
  if (!is_text && arguments.is_dl.value_or(false))
    throw core::InputError(fmt::format(
        "--spectrum-kind dl: {} is FITS or HDF5, which contain C_l: use cl, or remove the option", arguments.in));
  io::write_spectra(comm::Communicator::self(), arguments.out,
                    io::read_spectra(arguments.in, arguments.is_dl.value_or(false), arguments.columns));
}

int convert(const ConvertArguments& arguments) {
  std::error_code error;
  if (std::filesystem::equivalent(arguments.in, arguments.out, error))
    throw core::InputError(fmt::format("{} is both input and output: write to another file", arguments.in));
  const std::shared_ptr<const void> contents = io::inflated_contents(arguments.in);
  const io::FileKind kind = arguments.columns.empty() ? io::file_kind(arguments.in) : io::FileKind::kSpectra;
  if (arguments.ordering && kind != io::FileKind::kMap)
    throw core::InputError(
        fmt::format("--ordering applies to HEALPix maps only, but {} is not one: remove --ordering", arguments.in));
  if (arguments.is_dl && kind != io::FileKind::kSpectra)
    throw core::InputError(
        fmt::format("--spectrum-kind applies to spectra only, but {} contains none: remove it", arguments.in));
  switch (kind) {
    case io::FileKind::kMap:
      convert_map(arguments);
      break;
    case io::FileKind::kAlm:
      convert_alm(arguments);
      break;
    case io::FileKind::kSpectra:
      convert_spectra(arguments);
      break;
    case io::FileKind::kPoints:
      convert_points(arguments);
      break;
    case io::FileKind::kRings:
      throw core::InputError(
          fmt::format("{} contains only rings, which have a single format: there is nothing to convert", arguments.in));
  }
  return core::kExitDone;
}

/// Adds an option that accepts one of a list of words.
template <class Value>
CLI::Option* add_choice(CLI::App& verb, const std::string& name, std::optional<Value>& value,
                        std::map<std::string, Value> values, const std::string& help) {
  return verb.add_option_function<std::string>(
      name,
      [&value, name, values = std::move(values)](const std::string& word) {
        const auto found = values.find(word);
        std::vector<std::string> words;
        for (const auto& [known, number] : values) words.push_back(known);
        if (found == values.end())
          throw CLI::ValidationError(name,
                                     fmt::format("'{}' is not a valid value: use {}", word, fmt::join(words, " or ")));
        value = found->second;
      },
      help);
}

}  // namespace

void add_convert(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* verb = app.add_subcommand("convert", "Write a map, alm, spectra or points in another format");
  verb->add_option("in", arguments->in, "Input: FITS, HDF5 or text (detected from the content)")
      ->required()
      ->type_name("IN");
  verb->add_option("out", arguments->out, "Output: .fits .fit .h5 .hdf5; text .dat .txt, points also .csv")
      ->required()
      ->type_name("OUT");
  add_choice(*verb, "--ordering", arguments->ordering,
             {{"ring", io::Ordering::kRing}, {"nested", io::Ordering::kNested}},
             "ring or nested, for HEALPix maps; default: as in the input")
      ->type_name("ORDER");
  add_choice(*verb, "--precision", arguments->precision,
             {{"single", core::Precision::kSingle}, {"double", core::Precision::kDouble}},
             "single or double; default: as in the input")
      ->type_name("PRECISION");
  verb->add_option("--columns", arguments->columns, "Spectra: names of all columns in order, such as L,TT,EE")
      ->delimiter(',')
      ->type_name("NAMES");
  add_choice(*verb, "--spectrum-kind", arguments->is_dl, {{"dl", true}, {"cl", false}},
             "Text of spectra: dl for l (l + 1) / (2 pi) C_l, or cl")
      ->type_name("KIND");
  add_header_options(*verb, arguments->header);
  verb->footer(
      "Converts IAU polarisation to COSMO if the file states which columns are U, coefficients to the\n"
      "orthonormal convention with Condon-Shortley phase, and positions of points to theta and phi.\n"
      "Keeps NaN and bad pixels. Needs no MPI.\n"
      "Example: armilla convert map.fits map.h5 --ordering ring --precision double");
  verb->callback([arguments, &chosen] {
    chosen = [arguments] { return with_header_words([&] { return convert(*arguments); }); };
  });
}

}  // namespace armilla::app

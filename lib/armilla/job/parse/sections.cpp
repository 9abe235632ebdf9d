#include <armilla/backend/context.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/parse/convention_key.hpp>
#include <armilla/job/parse/sections.hpp>
#include <armilla/legendre/engine.hpp>

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

const std::vector<std::string> kPrecisions{"single", "double"};

Keys<OutputSpec> keys_of_output() {
  using K = KeyMakers<OutputSpec>;
  return {
      K::other("file", "file",
               "the file; may contain a placeholder `{}` or `{:04}` for [many maps](job_reference.md#many-maps). "
               "The extension selects the format: `.fits` `.fit`, `.h5` `.hdf5`; spectra also `.dat` `.txt`; "
               "values also `.csv` `.dat` `.txt`",
               [](OutputSpec& output, const YamlValue& value, const ParseContext& context) {
                 output.file = context.output_path(value);
               })
          .required(),
      K::choice("precision", &OutputSpec::precision, kPrecisions, "precision of the numbers in the file")
          .fallback("that of the run"),
      K::choice("ordering", &OutputSpec::ordering, {"ring", "nested"}, "HEALPix maps: pixel ordering"),
      convention_key(&OutputSpec::convention, "alm in HDF5: convention to write"),
      K::text(
          "units", &OutputSpec::units,
          "the [unit](job_reference.md#units) of the numbers in the file, such as uK, or uK^2 of spectra. Numbers in "
          "another unit are converted; the unit of a value that has none is stated")
          .fallback("those of the value")};
}

template <class Member>
KeyOf<ExecutionSpec> auto_or_whole(std::string name, Member ExecutionSpec::*member, Index last, std::string help) {
  return KeyMakers<ExecutionSpec>::other(
             std::move(name), fmt::format("`auto` or integer in 1 .. {}", last), std::move(help),
             [member, last](ExecutionSpec& execution, const YamlValue& value, const ParseContext&) {
               if (!value.is_scalar() || value.text() != "auto") execution.*member = value.whole_number(1, last);
             })
      .fallback("auto");
}

/// `5` or `0.5%`.
BadMapLimit read_bad_map_limit(const YamlValue& value) {
  std::string digits = value.is_scalar() ? value.text() : "";
  BadMapLimit limit{.is_percent = digits.ends_with('%'), .place = value.place(), .text = digits};
  if (limit.is_percent) digits.pop_back();
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), limit.number);
  const bool is_whole = limit.number == std::floor(limit.number);
  const bool is_valid = error == std::errc() && end == digits.data() + digits.size() && limit.number >= 0 &&
                        (limit.is_percent ? limit.number <= 100 : is_whole && limit.number <= kLargestNumber);
  if (!is_valid) value.fail("is neither a number of maps nor a percentage: expected a value such as 5 or 1%");
  return limit;
}

void read_bad_map_policy(const YamlValue& value, ExecutionSpec& execution) {
  if (!value.is_section()) {
    execution.on_bad_map = static_cast<BadMapPolicy>(value.choice(std::vector<std::string>{"stop", "skip"}));
    return;
  }
  value.expect_keys(std::vector<std::string>{"skip"});
  const YamlValue skip = value.at("skip");
  skip.expect_keys(std::vector<std::string>{"at_most"});
  execution.on_bad_map = BadMapPolicy::kSkip;
  execution.bad_map_limit = read_bad_map_limit(skip.at("at_most"));
}

Keys<ExecutionSpec> keys_of_execution() {
  using K = KeyMakers<ExecutionSpec>;
  return {
      K::choice("backend", &ExecutionSpec::backend, backend::kind_names(),
                "`cuda`: one GPU per rank, shared by several ranks if there are fewer GPUs; `auto`: [`cuda` or "
                "`cpu`](job_reference.md#how-auto-selects-the-backend)"),
      K::other("engine", fmt::format("one of `{}`", fmt::join(legendre::engine_names(), "`, `")),
               "engine of the Legendre stage on CPUs; `auto`: the fastest",
               [](ExecutionSpec& execution, const YamlValue& value, const ParseContext&) {
                 const std::vector<std::string> engines = legendre::engine_names();
                 execution.options.engine = engines[value.choice(engines)];
               })
          .fallback("auto"),
      K::other("theta_resampling", fmt::format("one of `{}`", fmt::join(backend::theta_resampling_names(), "`, `")),
               "whether the Legendre stage uses [fewer rings](job_reference.md#execution)",
               [](ExecutionSpec& execution, const YamlValue& value, const ParseContext&) {
                 execution.options.theta_resampling =
                     static_cast<backend::ThetaResampling>(value.choice(backend::theta_resampling_names()));
               })
          .fallback("auto"),
      K::choice("precision", &ExecutionSpec::precision, kPrecisions, "precision of fields in memory"),
      K::whole("threads", &ExecutionSpec::threads, 1, 4096, "threads per rank")
          .fallback("`OMP_NUM_THREADS`, otherwise the OpenMP default"),
      auto_or_whole("batch", &ExecutionSpec::batch, 1 << 16,
                    "number of [maps](job_reference.md#many-maps) transformed together"),
      auto_or_whole("map_groups", &ExecutionSpec::map_groups, 1 << 24, "number of groups of ranks that share the maps"),
      K::number("checkpoint_minutes", &ExecutionSpec::checkpoint_minutes, 0, 1e6,
                "interval between [checkpoints](reliability.md#checkpoints-of-iterations) of the iterations of a "
                "single map; 0: only when the run is stopped"),
      K::other("on_bad_map", "`stop`, `skip`, `{skip: {at_most: 1%}}`",
               "what to do with maps that cannot be used; `at_most`: percentage or number of maps",
               [](ExecutionSpec& execution, const YamlValue& value, const ParseContext&) {
                 read_bad_map_policy(value, execution);
               })
          .fallback("stop"),
      K::choice("on_nonfinite", &ExecutionSpec::on_nonfinite, {"error", "warn"},
                "what to do if an output [is not finite](job_reference.md#non-finite-values)")};
}

}  // namespace

OutputSpec parse_output(const std::string& name, const YamlValue& value, const ParseContext& context,
                        core::Precision precision) {
  OutputSpec output{.place = value.place(), .name = name, .file = {}, .precision = precision, .convention = {}};
  read_section(output, keys_of_output(), value, context);
  return output;
}

ExecutionSpec parse_execution(const YamlValue& value, const ParseContext& context) {
  ExecutionSpec execution;
  execution.place = value.place();
  read_section(execution, keys_of_execution(), value, context);
  return execution;
}

std::vector<Key> output_keys() { return described(keys_of_output()); }
std::vector<Key> execution_keys() { return described(keys_of_execution()); }

}  // namespace armilla::job

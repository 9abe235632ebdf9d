#include <armilla/core/error.hpp>
#include <armilla/grid/grid_text.hpp>
#include <armilla/grid/quadrature_error.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/command/command_files.hpp>
#include <armilla/job/command/command_inputs.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/command/job_text.hpp>
#include <armilla/job/command/step_command.hpp>
#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/sections.hpp>
#include <armilla/job/parse/stated_keys.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

namespace armilla::job {

namespace {

/// Applied to the coefficients of a map, these steps return a map.
const std::vector<std::string> kFromMapToMap{"smooth", "multiply", "rotate", "resize", "convert_vector"};
/// Those of them after which a pixel that was bad is bad again.
const std::vector<std::string> kInPlace{"smooth", "multiply", "resize", "convert_vector"};
/// Steps on pixels, after which bad pixels are bad, and the operands whose bad pixels they keep.
const std::vector<std::string> kOnPixels{"scale", "add", "multiply", "mask", "select"};
const std::vector<std::string> kSummands{"map", "with"};

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether a catalogue has positions only. A catalogue that needs keys to be read has values.
bool lacks_values(const std::string& file) {
  try {
    return io::open_points(file).components == 0;
  } catch (const core::InputError&) {
    return false;
  }
}

const OperationKind& kind_of(const std::string& step) {
  const auto found = std::ranges::find(operation_kinds(), step, &OperationKind::name);
  if (found == operation_kinds().end()) throw core::InternalError(fmt::format("there is no step {}", step));
  return *found;
}

/// Builds the job from its inputs to its outputs.
class JobMaker {
 public:
  JobMaker(const StepCommand& command, std::vector<std::string>& notes, HeldContents& held)
      : command_(command), kind_(kind_of(command.step)), notes_(notes), held_(held), inputs_(command, kind_, held) {}

  std::string text() {
    YAML::Node step(YAML::NodeType::Map);
    if (command_.first.empty() && !first_operands(kind_).empty())
      throw core::InputError(fmt::format("{} needs a file, but the file name is empty", kind_.name));
    if (!command_.first.empty()) take_first(step);
    for (const auto& [key, file] : command_.operands)
      step[key] = take(*std::ranges::find(kind_.keys, key, &Key::name), key, without_tilde(file));
    for (const auto& [name, given] : command_.inputs) inputs_.add_named(name, given);
    inputs_.check_all_used();
    for (const auto& setting : command_.step_keys) put_setting(step, kind_.keys, setting);
    name_results(step);
    add_step(command_.step, step);
    if (synthesise_on_) synthesise();
    if (inputs_.section().size() > 0) job_["inputs"] = inputs_.section();
    YAML::Node execution(YAML::NodeType::Map);
    for (const auto& setting : command_.execution_keys) put_setting(execution, execution_keys(), setting);
    if (execution.size() > 0) job_["execution"] = execution;
    return job_text(job_);
  }

 private:
  void add_step(const std::string& name, const YAML::Node& keys) {
    YAML::Node item;
    item[name] = keys;
    job_["steps"].push_back(item);
  }

  /// The types of value that an operand can have: with several, that of the first operand.
  std::string form_of(const Key& operand) const {
    const bool has_choice = operand.form.find(" or ") != std::string::npos;
    return has_choice && first_sort_ ? sort_name(*first_sort_) : operand.form;
  }

  /// Whether the step is given options that belong to coefficients.
  bool has_options_of_alm() const {
    return std::ranges::any_of(command_.step_keys, [&](const StepCommand::Setting& setting) {
      const auto key = std::ranges::find(kind_.keys, setting.first.front(), &Key::name);
      return key != kind_.keys.end() && key->applies_to == sort_name(ValueSort::kAlm);
    });
  }

  /// Adds the file as an input for an operand. Returns the name of the operand: that of the input, or of the
  /// coefficients if it is analysed.
  std::string take(const Key& operand, const std::string& name, const std::string& file) {
    // Files of values also contain points; the presence of values is checked when they are read.
    if (operand.form == sort_name(ValueSort::kPoints)) {
      inputs_.add(name, ValueSort::kPoints, file, operand.name, false);
      return name;
    }
    const ValueSort sort = sort_in(sample_file(file), held_);
    const std::string form = form_of(operand);
    const bool fits = form.find(sort_name(sort)) != std::string::npos;
    const bool analyses = !fits && sort == ValueSort::kMap && form == sort_name(ValueSort::kAlm);
    if (!fits && !analyses)
      throw core::InputError(fmt::format("{} contains {}, but {} expects {} as '{}': pass a file with {}", file,
                                         with_article(sort_name(sort)), kind_.name, with_article(form), operand.name,
                                         with_article(form)));
    if (!first_sort_) first_sort_ = analyses ? ValueSort::kAlm : sort;
    const bool keeps_bad =
        sort == ValueSort::kMap && fits && is_in(kOnPixels, kind_.name) && is_in(kSummands, operand.name);
    std::vector<StepCommand::Setting> defaults;
    if (keeps_bad) defaults.push_back({{"bad_data"}, "keep"});
    inputs_.add(name, sort, file, operand.name, analyses, defaults);
    if (analyses) analyse(sample_file(file), name, operand.name);
    return analyses ? name + "_alm" : name;
  }

  void take_first(YAML::Node step) {
    const std::vector<Key> keys = first_operands(kind_);
    if (keys.empty()) throw core::InputError(fmt::format("{} takes no file: remove '{}'", kind_.name, command_.first));
    // The key that matches the type of the file, or the options.
    const std::string file = without_tilde(command_.first);
    ValueSort sort = sort_in(sample_file(file), held_);
    if (sort == ValueSort::kMap && has_options_of_alm()) sort = ValueSort::kAlm;
    if (sort == ValueSort::kValues && lacks_values(sample_file(file))) sort = ValueSort::kPoints;
    const auto own = std::ranges::find(keys, sort_name(sort), &Key::form);
    const Key* operand = own == keys.end() ? &keys.front() : &*own;
    const std::string name = sort_in(sample_file(file), held_) == ValueSort::kMap ? "map" : operand->name;
    step[operand->name] = take(*operand, name, file);
    if (!analysed_grid_) return;
    synthesise_where_maps_stay_maps();
    if (synthesise_on_) keep_bad_pixels_bad(name);
  }

  /// Bad pixels of the map that are set to 0 for the analysis are bad in the result.
  void keep_bad_pixels_bad(const std::string& name) {
    const std::string bad_data = inputs_.value(name, "bad_data").value_or("error");
    if (!is_in(kInPlace, kind_.name) || (bad_data != "zero" && bad_data != "mask")) return;
    if (!inputs_.value(name, "good_pixels")) inputs_.set(name, "good_pixels", "good_pixels");
    inputs_.set(name, "bad_data", "mask");
    good_pixels_ = inputs_.value(name, "good_pixels");
    notes_.push_back("bad pixels are 0 in the analysis, and bad in the result");
  }

  void analyse(const std::string& file, const std::string& name, const std::string& operand) {
    const io::MapInfo info = io::open_map(file, io::BatchPolicy::kTake, header_for_grid(name));
    const grid::RingGrid& grid = *info.grid;
    const bool is_healpix = grid.description().is_full_healpix();
    YAML::Node step(YAML::NodeType::Map);
    step["map"] = name;
    const auto lmax = inputs_.analysis_key("lmax", operand), mmax = inputs_.analysis_key("mmax", operand);
    if (!lmax && !grid.has_weights())
      throw core::InputError(fmt::format("{}: its grid does not determine lmax: set --lmax", file));
    step["lmax"] = lmax ? *lmax : fmt::format("{}", grid::accurate_lmax(grid));
    if (mmax) step["mmax"] = *mmax;
    const std::string method = inputs_.analysis_key("method", operand).value_or(is_healpix ? "jacobi=3" : "quadrature");
    const Key any;
    step["method"] = setting_value({"method"}, method, &any);
    step["out"] = name + "_alm";
    add_step("analysis", step);
    notes_.push_back(fmt::format("{} is a map and is analysed first, with lmax {} and method {}", file,
                                 step["lmax"].Scalar(), method));
    analysed_grid_ = grid.description();
  }

  /// The header by which the grid of an input is found. The job checks the other keywords when it reads the map.
  io::StatedHeader header_for_grid(const std::string& name) const {
    io::StatedHeader header{.ordering = io::Stated<io::Ordering>{io::Ordering::kRing, true},
                            .polcconv = io::Stated<std::string>{"", true},
                            .coordsys = io::Stated<std::string>{"", true},
                            .bad_value = io::Stated<double>{io::kBadPixel, true}};
    header.hdu = inputs_.value(name, "hdu").value_or("");
    YAML::Node inputs(YAML::NodeType::Map);
    inputs["inputs"] = inputs_.section();
    const Document document(job_text(inputs), fmt::format("command line ({})", kind_.name), {});
    const YamlValue input = document.root().at("inputs").at(name);
    if (const auto nside = input.find("nside")) header.nside = stated_nside(*nside);
    return header;
  }

  void synthesise_where_maps_stay_maps() {
    if (!is_in(kFromMapToMap, kind_.name)) return;
    synthesise_on_ = grid::grid_text(*analysed_grid_);
    if (synthesise_on_->empty())
      throw core::InputError(
          fmt::format("{}: its grid has no short form, so the result cannot be converted back to a map: write a job "
                      "file with analysis, {} and synthesis",
                      command_.first, kind_.name));
    notes_.push_back(fmt::format("the result is a map on the same grid, {}", *synthesise_on_));
  }

  /// The results named by the items of a list of sections, such as `kernels`.
  std::vector<std::string> listed_results(const YAML::Node& step) const {
    std::vector<std::string> names;
    for (const Key& key : kind_.keys)
      for (const Key& member : key.members)
        if (member.type == KeyType::kResult && step[key.name] && step[key.name].IsSequence())
          for (const auto& item : step[key.name])
            if (item[member.name]) names.push_back(item[member.name].Scalar());
    return names;
  }

  void add_output(const std::string& name, const std::string& file) {
    if (file.empty()) throw core::InputError(fmt::format("-o: the file name of '{}' is empty", name));
    YAML::Node output(YAML::NodeType::Map);
    output["file"] = path_text(without_tilde(file));
    for (const auto& setting : command_.output_keys) put_setting(output, output_keys(), setting);
    job_["outputs"][name] = output;
  }

  /// Writes results that already have names.
  void write_listed(const std::vector<std::string>& names) {
    for (const std::string& given : command_.out) {
      const std::size_t equals = std::min(given.find('='), given.size());
      const std::string name = given.substr(0, equals);
      if (equals == given.size() || std::ranges::find(names, name) == names.end())
        throw core::InputError(
            fmt::format("-o {}: expected NAME=FILE with one of the results {}", given, fmt::join(names, ", ")));
      add_output(name, given.substr(equals + 1));
    }
    if (command_.out.empty())
      throw core::InputError(
          fmt::format("{} needs output files for its results, {}: use -o NAME=FILE for each result to be written",
                      kind_.name, fmt::join(names, ", ")));
  }

  void name_results(YAML::Node step) {
    if (const std::vector<std::string> listed = listed_results(step); !listed.empty()) {
      write_listed(listed);
      return;
    }
    std::vector<std::string> results;
    for (const Key& key : kind_.keys)
      if (key.type == KeyType::kResult) results.push_back(key.name);
    for (const std::string& given : command_.out) {
      std::size_t equals = given.find('=');
      if (given.substr(0, equals).find('/') != std::string::npos) equals = std::string::npos;  // part of a file name
      std::string key = equals == std::string::npos ? std::string("out") : given.substr(0, equals);
      if (std::ranges::find(results, key) == results.end()) {
        if (equals != std::string::npos || results.empty())
          throw core::InputError(fmt::format(
              "-o {}: {} has {}: {}", given, kind_.name,
              results.empty()
                  ? "no results"
                  : fmt::format("the result{} {}", results.size() == 1 ? "" : "s", fmt::join(results, ", ")),
              results.empty()
                  ? "remove it"
                  : "use KEY=FILE with one of them, or put './' before the name of a file that contains '='"));
        key = results.front();
      }
      if (step[key])
        throw core::InputError(fmt::format("-o {}: {} already has a file: remove one of the two", given, key));
      const std::string name = key == "out" ? "result" : key;
      step[key] = name;
      add_output(name, equals == std::string::npos ? given : given.substr(equals + 1));
    }
    const auto out = std::ranges::find(kind_.keys, "out", &Key::name);
    if (out != kind_.keys.end() && out->is_required && !step["out"])
      throw core::InputError(fmt::format("{} needs an output file: use -o FILE", kind_.name));
  }

  /// Appends the synthesis of the result.
  void synthesise() {
    YAML::Node last = job_["steps"][job_["steps"].size() - 1][command_.step];
    last["out"] = "result_alm";
    YAML::Node step(YAML::NodeType::Map);
    step["alm"] = "result_alm";
    step["grid"] = *synthesise_on_;
    step["out"] = good_pixels_ ? "result_map" : "result";
    add_step("synthesis", step);
    if (!good_pixels_) return;
    YAML::Node mask(YAML::NodeType::Map);
    mask["map"] = "result_map";
    mask["mask"] = *good_pixels_;
    mask["outside"] = "bad";
    mask["out"] = "result";
    add_step("mask", mask);
  }

  const StepCommand& command_;
  const OperationKind& kind_;
  std::vector<std::string>& notes_;
  HeldContents& held_;
  CommandInputs inputs_;
  YAML::Node job_{YAML::NodeType::Map};
  std::optional<ValueSort> first_sort_;                 ///< of the first operand
  std::optional<grid::GridDescription> analysed_grid_;  ///< of a map that is analysed first
  std::optional<std::string> good_pixels_;              ///< mask of the pixels that are not bad in the result
  std::optional<std::string> synthesise_on_;            ///< short form of the grid of the analysed map
};

}  // namespace

std::string job_of(const StepCommand& command, std::vector<std::string>& notes, HeldContents& held) {
  JobMaker maker(command, notes, held);
  return maker.text();
}

}  // namespace armilla::job

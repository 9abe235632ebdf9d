#include <armilla/core/error.hpp>
#include <armilla/grid/grid_text.hpp>
#include <armilla/grid/quadrature_error.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/command/command_files.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/command/job_text.hpp>
#include <armilla/job/command/step_command.hpp>
#include <armilla/job/parse/sections.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

namespace armilla::job {

namespace {

/// Applied to a map, these steps return a map.
const std::vector<std::string> kFromMapToMap{"smooth", "multiply", "rotate"};

const OperationKind& kind_of(const std::string& step) {
  const auto found = std::ranges::find(operation_kinds(), step, &OperationKind::name);
  if (found == operation_kinds().end()) throw core::InternalError(fmt::format("there is no step {}", step));
  return *found;
}

/// Builds the job from its inputs to its outputs.
class JobMaker {
 public:
  JobMaker(const StepCommand& command, std::vector<std::string>& notes)
      : command_(command), kind_(kind_of(command.step)), notes_(notes), input_keys_(command.input_keys) {}

  std::string text() {
    YAML::Node step(YAML::NodeType::Map);
    if (command_.first.empty() && !first_operands(kind_).empty())
      throw core::InputError(fmt::format("{} needs a file, but the file name is empty", kind_.name));
    if (!command_.first.empty()) take_first(step);
    for (const auto& [key, file] : command_.operands)
      step[key] = take(*std::ranges::find(kind_.keys, key, &Key::name), key, without_tilde(file));
    if (has_input("points")) {
      for (const auto& setting : input_keys_) put_setting(job_["inputs"]["points"], input_keys(), setting);
      input_keys_.clear();
    }
    for (const auto& [name, given] : command_.inputs) {
      const std::string file = without_tilde(given);
      add_input(name, sort_in(sample_file(file)), file);
    }
    for (const auto& setting : command_.step_keys) put_setting(step, kind_.keys, setting);
    name_results(step);
    add_step(command_.step, step);
    if (synthesise_on_) synthesise();
    if (!input_keys_.empty())
      throw core::InputError(fmt::format("{} applies to a file that this command does not have: remove it",
                                         option_name(input_keys_.front().first)));
    YAML::Node execution(YAML::NodeType::Map);
    for (const auto& setting : command_.execution_keys) put_setting(execution, execution_keys(), setting);
    if (execution.size() > 0) job_["execution"] = execution;
    return job_text(job_);
  }

 private:
  /// Const access, because operator[] of a non-const Node would change the job.
  bool has_input(const std::string& name) const {
    const YAML::Node inputs = std::as_const(job_)["inputs"];
    return inputs.IsDefined() && std::as_const(inputs)[name].IsDefined();
  }
  void add_input(const std::string& name, ValueSort sort, const std::string& file) {
    if (has_input(name))
      throw core::InputError(
          fmt::format("--input {}={}: the command already has an input of that name: choose another name", name, file));
    YAML::Node input(YAML::NodeType::Map);
    input[sort_name(sort)] = path_text(file);
    job_["inputs"][name] = input;
  }
  void add_step(const std::string& name, const YAML::Node& keys) {
    YAML::Node item;
    item[name] = keys;
    job_["steps"].push_back(item);
  }

  /// Adds the file as an input for an operand. Returns the name of the operand: that of the input, or of the
  /// coefficients if it is analysed.
  std::string take(const Key& operand, const std::string& name, const std::string& file) {
    // Files of values also contain points; the presence of values is checked when they are read.
    if (operand.form == sort_name(ValueSort::kPoints)) {
      add_input(name, ValueSort::kPoints, file);
      return name;
    }
    const ValueSort sort = sort_in(sample_file(file));
    const bool fits = operand.form.find(sort_name(sort)) != std::string::npos;
    const bool analyses = !fits && sort == ValueSort::kMap && operand.form == sort_name(ValueSort::kAlm);
    if (!fits && !analyses)
      throw core::InputError(fmt::format("{} contains {}, but {} expects {} as '{}': pass a file with {}", file,
                                         with_article(sort_name(sort)), kind_.name, with_article(operand.form),
                                         operand.name, with_article(operand.form)));
    if (analyses) analyse(sample_file(file), name);
    add_input(name, sort, file);
    return analyses ? name + "_alm" : name;
  }

  void take_first(YAML::Node step) {
    const std::vector<Key> keys = first_operands(kind_);
    if (keys.empty()) throw core::InputError(fmt::format("{} takes no file: remove '{}'", kind_.name, command_.first));
    // The key that matches the type of the file.
    const std::string file = without_tilde(command_.first);
    const ValueSort sort = sort_in(sample_file(file));
    const auto own = std::ranges::find(keys, sort_name(sort), &Key::form);
    const Key* operand = own == keys.end() ? &keys.front() : &*own;
    const std::string name = sort == ValueSort::kMap ? "map" : operand->name;
    step[operand->name] = take(*operand, name, file);
    if (!analysed_.empty()) synthesise_where_maps_stay_maps();
    const bool has_places = has_points(sort);
    std::vector<StepCommand::Setting> of_points;
    for (const auto& setting : input_keys_)
      if (is_of_places(setting.first.front()) && !has_places)
        of_points.push_back(setting);
      else if (!analysed_.contains(setting.first.front()))
        put_setting(job_["inputs"][name], input_keys(), setting);
    input_keys_ = of_points;
  }

  void analyse(const std::string& file, const std::string& name) {
    const io::MapInfo info = io::open_map(file, io::BatchPolicy::kTake);
    const grid::RingGrid& grid = *info.grid;
    const bool is_healpix = grid.description().is_full_healpix();
    YAML::Node step(YAML::NodeType::Map);
    step["map"] = name;
    const auto lmax = analysis_key("lmax"), mmax = analysis_key("mmax");
    if (!lmax && !grid.has_weights())
      throw core::InputError(fmt::format("{}: its grid does not determine lmax: set --lmax", file));
    step["lmax"] = lmax ? *lmax : fmt::format("{}", grid::accurate_lmax(grid));
    if (mmax) step["mmax"] = *mmax;
    const std::string method = analysis_key("method").value_or(is_healpix ? "jacobi=3" : "quadrature");
    const Key any;
    step["method"] = setting_value({"method"}, method, &any);
    step["out"] = name + "_alm";
    add_step("analysis", step);
    notes_.push_back(fmt::format("{} is a map and is analysed first, with lmax {} and method {}", file,
                                 step["lmax"].Scalar(), method));
    analysed_grid_ = grid.description();
  }

  /// A command-line setting for the analyses before the step.
  std::optional<std::string> analysis_key(const std::string& name) {
    const auto found =
        std::ranges::find(command_.input_keys, std::vector<std::string>{name}, &StepCommand::Setting::first);
    analysed_.insert(name);
    return found == command_.input_keys.end() ? std::nullopt : std::optional(found->second);
  }

  void synthesise_where_maps_stay_maps() {
    if (std::ranges::find(kFromMapToMap, kind_.name) == kFromMapToMap.end()) return;
    synthesise_on_ = grid::grid_text(analysed_grid_);
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
    step["out"] = "result";
    add_step("synthesis", step);
  }

  const StepCommand& command_;
  const OperationKind& kind_;
  std::vector<std::string>& notes_;
  std::vector<StepCommand::Setting> input_keys_;  ///< not yet used by an operand
  YAML::Node job_{YAML::NodeType::Map};
  std::set<std::string> analysed_;  ///< keys used by the analyses before the step; empty if there are none
  grid::GridDescription analysed_grid_;
  std::optional<std::string> synthesise_on_;  ///< short form of the grid of the analysed map
};

}  // namespace

std::string job_of(const StepCommand& command, std::vector<std::string>& notes) {
  JobMaker maker(command, notes);
  return maker.text();
}

}  // namespace armilla::job

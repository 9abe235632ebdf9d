#include <armilla/core/error.hpp>

#include <memory>
#include <string>
#include <vector>

#include "header_options.hpp"
#include "inspect_record.hpp"
#include "standard_streams.hpp"
#include "verbs.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

using Json = nlohmann::ordered_json;

struct InspectArguments {
  std::vector<std::string> files;
  std::vector<std::string> columns;  ///< of spectra
  bool json = false;
  io::StatedHeader header;  ///< of maps
};

/// Reports files that cannot be read and continues with the next file.
int inspect(const InspectArguments& arguments) {
  int code = core::kExitDone;
  Json document{{"version", 1}, {"files", Json::array()}};
  for (const std::string& file : arguments.files) {
    try {
      Json record = inspect_record(file, arguments.columns, arguments.header);
      if (arguments.json)
        document["files"].push_back(std::move(record));
      else
        print_lines(inspect_text(record));
    } catch (const core::InputError& error) {
      if (arguments.files.size() == 1 && !arguments.json) throw;
      print_error(fmt::format("armilla: error: {}\n", error.what()));
      document["files"].push_back({{"file", file}, {"error", error.what()}});
      code = core::kExitInput;
    }
  }
  // Names in files may not be UTF-8.
  if (arguments.json) print_json(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return code;
}

}  // namespace

void add_inspect(CLI::App& app, Action& chosen) {
  auto arguments = std::make_shared<InspectArguments>();
  CLI::App* verb = app.add_subcommand("inspect", "Describe the contents of files");
  verb->add_option("file", arguments->files, "Maps, alm, spectra, rings or points: FITS, HDF5 or text")
      ->required()
      ->type_name("FILE");
  verb->add_option("--columns", arguments->columns, "Spectra: names of all columns in order, such as L,TT,EE")
      ->delimiter(',')
      ->type_name("NAMES");
  verb->add_flag("--json", arguments->json, "Print a single JSON document for all files");
  add_header_options(*verb, arguments->header);
  verb->footer(
      "Prints grid or lmax, fields, units and conventions. For each field of each map: minimum, maximum,\n"
      "rms, mean, f_sky (fraction of the sphere with good pixels), NaN and bad pixels. Reads in blocks, so\n"
      "files of any size are supported. Needs no MPI.\n"
      "Example: armilla inspect map.fits");
  verb->callback([arguments, &chosen] {
    chosen = [arguments] { return with_header_words([&] { return inspect(*arguments); }); };
  });
}

}  // namespace armilla::app

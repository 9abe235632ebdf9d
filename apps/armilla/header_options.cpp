#include "header_options.hpp"

#include <armilla/core/error.hpp>
#include <armilla/job/command/job_text.hpp>
#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/stated_keys.hpp>

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace armilla::app {

namespace {

constexpr std::string_view kForce = "force=";
constexpr const char* kGroup = "Header of the file (force=VALUE overrides it)";

std::string option_words(const std::string&, const std::string& key, const std::string& value) {
  constexpr std::string_view kForced = "{force: ";
  std::string option = key == "ordering" ? "--input-ordering" : "--" + key;
  for (char& letter : option)
    if (letter == '_') letter = '-';
  if (value.starts_with(kForced) && value.ends_with('}'))
    return fmt::format("{} force={}", option, value.substr(kForced.size(), value.size() - kForced.size() - 1));
  if (value.starts_with('[') && value.ends_with(']')) {
    std::string list = value.substr(1, value.size() - 2);
    std::erase(list, ' ');
    return option + " " + list;
  }
  return value.empty() ? option : option + " " + value;
}

/// `key`: of the option with the error; empty if the error names one.
[[noreturn]] void rethrow_with_header_words(const core::InputError& error, const std::string& key = {}) {
  if (error.context() == nullptr) throw error;
  core::ErrorContext context = *error.context();
  context.where.clear();  // the line of a document that the user did not write
  if (!key.empty()) context.key = key;
  throw core::InputError(core::sentence(context, option_words));
}

/// An option with the name and the values of a key of inputs; "force=VALUE" is short for {force: VALUE}.
template <class Value>
void add_stated(CLI::App& verb, const std::string& key, std::optional<io::Stated<Value>>& stated,
                io::Stated<Value> (*read)(const job::YamlValue&), const std::string& type, const std::string& help) {
  verb.add_option_function<std::string>(
          option_words("", key, ""),
          [&stated, key, read](const std::string& text) {
            YAML::Node job, section = job["inputs"];
            if (text.starts_with(kForce))
              section[key]["force"] = text.substr(kForce.size());
            else
              section[key] = text;
            const job::Document document(job::job_text(job), "command line", {});
            try {
              stated = read(document.root().at("inputs").at(key));
            } catch (const core::InputError& error) {
              rethrow_with_header_words(error, key);
            }
          },
          help)
      ->type_name(type)
      ->group(kGroup);
}

}  // namespace

void add_header_options(CLI::App& verb, io::StatedHeader& header) {
  verb.add_option("--hdu", header.hdu, "FITS: number or EXTNAME of the extension")->type_name("HDU")->group(kGroup);
  add_stated(verb, "nside", header.nside, job::stated_nside, "N", "HEALPix");
  add_stated(verb, "ordering", header.ordering, job::stated_ordering, "ORDER", "HEALPix: ring or nested");
  add_stated(verb, "polcconv", header.polcconv, job::stated_polcconv, "NAME", "COSMO or IAU");
  add_stated(verb, "coordsys", header.coordsys, job::stated_coordsys, "NAME", "G, E or C");
  add_stated(verb, "bad_value", header.bad_value, job::stated_bad_value, "VALUE", "Value of pixels without data");
}

int with_header_words(const std::function<int()>& call) {
  try {
    return call();
  } catch (const core::InputError& error) {
    rethrow_with_header_words(error);
  }
}

}  // namespace armilla::app

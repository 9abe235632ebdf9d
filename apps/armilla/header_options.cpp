#include "header_options.hpp"

#include <armilla/core/error.hpp>
#include <armilla/io/field_names.hpp>

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace armilla::app {

namespace {

constexpr std::string_view kForce = "force=";

/// An option whose value, after "force=", overrides the header. `read` throws CLI::ValidationError.
template <class Value, class Read>
void add_stated(CLI::App& verb, const std::string& name, std::optional<io::Stated<Value>>& stated,
                const std::string& type, const std::string& help, Read read) {
  verb.add_option_function<std::string>(
          name,
          [&stated, name, read](const std::string& text) {
            const bool is_forced = text.starts_with(kForce);
            const std::string word = is_forced ? text.substr(kForce.size()) : text;
            const std::optional<Value> value = read(word);
            if (!value) throw CLI::ValidationError(name, fmt::format("'{}' is not a valid value", word));
            stated = io::Stated<Value>{*value, is_forced};
          },
          help)
      ->type_name(type)
      ->group("Header of the file (force=VALUE overrides it)");
}

std::optional<std::string> one_of(const std::string& word, std::initializer_list<std::string_view> known) {
  for (const std::string_view one : known)
    if (word == one) return word;
  return std::nullopt;
}

template <class Number>
std::optional<Number> number_of(const std::string& word) {
  Number number{};
  return CLI::detail::lexical_cast(word, number) ? std::optional(number) : std::nullopt;
}

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

}  // namespace

void add_header_options(CLI::App& verb, io::StatedHeader& header) {
  verb.add_option("--hdu", header.hdu, "FITS: number or EXTNAME of the extension")
      ->type_name("HDU")
      ->group("Header of the file (force=VALUE overrides it)");
  add_stated(verb, "--nside", header.nside, "N", "HEALPix", [](const std::string& word) {
    const auto nside = number_of<core::Index>(word);
    return nside && *nside >= 1 && *nside <= (core::Index{1} << 29) ? nside : std::nullopt;
  });
  add_stated(verb, "--input-ordering", header.ordering, "ORDER", "HEALPix: ring or nested",
             [](const std::string& word) {
               const std::string name = io::upper(word);
               if (name != "RING" && name != "NESTED" && name != "NEST") return std::optional<io::Ordering>();
               return std::optional(name == "RING" ? io::Ordering::kRing : io::Ordering::kNested);
             });
  add_stated(verb, "--polcconv", header.polcconv, "NAME", "COSMO or IAU", [](const std::string& word) {
    return one_of(io::upper(word), {"COSMO", "IAU"});
  });
  add_stated(verb, "--coordsys", header.coordsys, "NAME", "G, E or C", [](const std::string& word) {
    return one_of(io::coordsys_of(word), {"G", "E", "C"});
  });
  add_stated(verb, "--bad-value", header.bad_value, "VALUE", "Value of pixels without data",
             [](const std::string& word) { return number_of<double>(word); });
}

int with_header_words(const std::function<int()>& call) {
  try {
    return call();
  } catch (const core::InputError& error) {
    if (error.context() == nullptr) throw;
    throw core::InputError(core::sentence(*error.context(), option_words));
  }
}

}  // namespace armilla::app

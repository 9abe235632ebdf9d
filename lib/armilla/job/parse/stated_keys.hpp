#pragma once

#include <armilla/io/stated_header.hpp>
#include <armilla/job/parse/document.hpp>

#include <string>
#include <vector>

/// Values of keys with which a job states properties of a file: `C`, or `{force: C}`.
namespace armilla::job {

/// The value of the key of that name. Throws InputError.
io::Stated<std::string> stated_coordsys(const YamlValue& value);
io::Stated<std::string> stated_polcconv(const YamlValue& value);
io::Stated<io::Ordering> stated_ordering(const YamlValue& value);
io::Stated<Index> stated_nside(const YamlValue& value);
io::Stated<double> stated_bad_value(const YamlValue& value);
io::Stated<std::vector<std::string>> stated_units(const YamlValue& value);

}  // namespace armilla::job

#include <armilla/io/field_names.hpp>
#include <armilla/job/parse/stated_keys.hpp>

#include <type_traits>

namespace armilla::job {

namespace {

template <class Read>
auto stated(const YamlValue& value, Read read) {
  using Value = std::invoke_result_t<Read, const YamlValue&>;
  if (!value.is_section()) return io::Stated<Value>{read(value), false};
  value.expect_keys(std::vector<std::string>{"force"});
  return io::Stated<Value>{read(value.at("force")), true};
}

std::string read_coordsys(const YamlValue& value) {
  const std::string letter = io::coordsys_of(value.text());
  if (letter != "G" && letter != "E" && letter != "C") value.fail("is not G, E or C: use one of these");
  return letter;
}

std::string read_polcconv(const YamlValue& value) {
  const std::string name = io::upper(value.text());
  if (name != "COSMO" && name != "IAU") value.fail("is not COSMO or IAU: use one of these");
  return name;
}

io::Ordering read_ordering(const YamlValue& value) {
  const std::string name = io::upper(value.text());
  if (name != "RING" && name != "NESTED" && name != "NEST") value.fail("is not ring or nested: use one of these");
  return name == "RING" ? io::Ordering::kRing : io::Ordering::kNested;
}

Index read_nside(const YamlValue& value) { return value.whole_number(1, Index{1} << 29); }

double read_bad_value(const YamlValue& value) { return value.number(); }

std::vector<std::string> read_units(const YamlValue& value) {
  return value.is_scalar() ? std::vector<std::string>{value.text()} : value.texts();
}

}  // namespace

io::Stated<std::string> stated_coordsys(const YamlValue& value) { return stated(value, read_coordsys); }
io::Stated<std::string> stated_polcconv(const YamlValue& value) { return stated(value, read_polcconv); }
io::Stated<io::Ordering> stated_ordering(const YamlValue& value) { return stated(value, read_ordering); }
io::Stated<Index> stated_nside(const YamlValue& value) { return stated(value, read_nside); }
io::Stated<double> stated_bad_value(const YamlValue& value) { return stated(value, read_bad_value); }
io::Stated<std::vector<std::string>> stated_units(const YamlValue& value) { return stated(value, read_units); }

}  // namespace armilla::job

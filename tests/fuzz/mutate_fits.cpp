#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "targets.hpp"
#include <fmt/format.h>

namespace armilla::fuzz {

namespace {

constexpr std::size_t kBlock = 2880;
constexpr std::size_t kCard = 80;

constexpr auto kKeywords = std::to_array<std::string_view>({
    "NSIDE",    "ORDERING", "INDXSCHM", "FIRSTPIX", "LASTPIX", "OBJECT",  "COORDSYS", "POLCCONV", "PIXTYPE", "BAD_DATA",
    "MAX-LPOL", "MAX-MPOL", "NAXIS",    "NAXIS1",   "NAXIS2",  "PCOUNT",  "GCOUNT",   "TFIELDS",  "BITPIX",  "XTENSION",
    "EXTEND",   "SIMPLE",   "THEAP",    "CREATOR",  "EXTNAME", "TFORM1",  "TFORM2",   "TFORM3",   "TTYPE1",  "TTYPE2",
    "TTYPE3",   "TUNIT1",   "TUNIT2",   "SPINS",    "TSCAL1",  "TZERO1",  "TNULL1",   "TDIM1",    "TBCOL1",  "TBCOL2",
    "TFORM7",   "TSCAL2",   "TZERO2",   "NAXIS3",   "ZIMAGE",  "ZNAXIS1", "CHECKSUM", "DATASUM",  "POLAR",   "EXTVER",
    "CONTINUE", "COMMENT",  "INHERIT",  "TDISP1",   "ZTABLE",
});

constexpr auto kTexts = std::to_array<std::string_view>({
    "'1E'",      "'1D'",       "'1024E'",  "'1J'",       "'1K'",         "'1X'",          "'8X'",
    "'1L'",      "'1PE(3)'",   "'1QD(4)'", "'0D'",       "'999999999D'", "'16A'",         "'1C'",
    "'1M'",      "'1B'",       "'1I'",     "'F12.5'",    "'E15.7'",      "'A10'",         "'D25.17'",
    "'RING'",    "'NESTED'",   "'NEST'",   "'EXPLICIT'", "'IMPLICIT'",   "'PARTIAL'",     "'FULLSKY'",
    "'HEALPIX'", "'BINTABLE'", "'TABLE'",  "'IMAGE'",    "'PIXEL'",      "'TEMPERATURE'", "'Q_POLARISATION'",
    "'INDEX'",   "'REAL'",     "'IMAG'",   "'TT'",       "'L'",          "'healpy'",      "'G'",
    "'C'",       "'IAU'",      "'COSMO'",  "'K_CMB'",    "''",           "'   '",         "T",
    "'THETA'",   "'phi'",      "'RA'",     "'rad'",      "'deg'",        "'0,2'",         "'4D'",
    "F",         "",           "NaN",      "'(2,3)'",    "'-1D'",        "'2147483648E'",
});

/// A header and its data.
struct Unit {
  std::vector<std::string> cards;  ///< without END
  Bytes data;
};

std::string card(std::string_view keyword, std::string_view value) {
  std::string text = fmt::format("{:<8.8}= {:>20}", keyword, value);
  text.resize(kCard, ' ');
  return text;
}

std::string_view keyword_of(const std::string& text) {
  return std::string_view(text).substr(0, std::min<std::size_t>(8, text.find_first_of(" =")));
}

std::int64_t value_of(const Unit& unit, std::string_view keyword) {
  for (const std::string& text : unit.cards)
    if (keyword_of(text) == keyword) return std::strtoll(text.c_str() + 10, nullptr, 10);
  return 0;
}

/// As many bytes as the header asks for, of those that are left.
std::size_t data_size(const Unit& unit, std::size_t left) {
  double size = static_cast<double>(std::abs(value_of(unit, "BITPIX"))) / 8;
  const auto axes = std::clamp<std::int64_t>(value_of(unit, "NAXIS"), 0, 9);
  if (axes == 0) return 0;
  for (std::int64_t i = 1; i <= axes; ++i) size *= static_cast<double>(value_of(unit, fmt::format("NAXIS{}", i)));
  size = std::clamp(size + static_cast<double>(value_of(unit, "PCOUNT")), 0.0, static_cast<double>(left));
  return static_cast<std::size_t>(size);
}

std::vector<Unit> parse(const Bytes& file) {
  std::vector<Unit> units;
  std::size_t at = 0;
  while (at + kCard <= file.size()) {
    Unit unit;
    bool ended = false;
    for (; at + kCard <= file.size() && !ended; at += kCard) {
      std::string text(file.begin() + static_cast<std::ptrdiff_t>(at),
                       file.begin() + static_cast<std::ptrdiff_t>(at + kCard));
      ended = text.starts_with("END     ");
      if (!ended) unit.cards.push_back(std::move(text));
    }
    if (!ended) break;
    at = std::min(file.size(), (at + kBlock - 1) / kBlock * kBlock);
    const std::size_t size = data_size(unit, file.size() - at);
    unit.data.assign(file.begin() + static_cast<std::ptrdiff_t>(at),
                     file.begin() + static_cast<std::ptrdiff_t>(at + size));
    at = std::min(file.size(), at + (size + kBlock - 1) / kBlock * kBlock);
    units.push_back(std::move(unit));
  }
  return units;
}

void pad(Bytes& bytes, std::uint8_t value) { bytes.resize((bytes.size() + kBlock - 1) / kBlock * kBlock, value); }

Bytes format(const std::vector<Unit>& units) {
  Bytes file;
  for (const Unit& unit : units) {
    for (const std::string& text : unit.cards) file.insert(file.end(), text.begin(), text.end());
    std::string end = "END";
    end.resize(kCard, ' ');
    file.insert(file.end(), end.begin(), end.end());
    pad(file, ' ');
    file.insert(file.end(), unit.data.begin(), unit.data.end());
    pad(file, 0);
  }
  return file;
}

std::string random_value(Random& random) {
  switch (random.below(4)) {
    case 0:
      return std::string(random.of(std::span<const std::string_view>(kTexts)));
    case 1:
      return fmt::format("{}", random.number());
    default:
      return fmt::format("{}", random.whole());
  }
}

void change_cards(Unit& unit, Random& random) {
  auto& cards = unit.cards;
  const std::string_view keyword = random.of(std::span<const std::string_view>(kKeywords));
  if (cards.empty() || random.one_in(8)) {
    cards.insert(cards.begin() + static_cast<std::ptrdiff_t>(random.below(cards.size() + 1)),
                 card(keyword, random_value(random)));
    return;
  }
  const std::size_t place = random.below(cards.size());
  std::string& text = cards[place];
  switch (random.below(9)) {
    case 0:
      cards.erase(cards.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    case 1:
      cards.insert(cards.begin() + static_cast<std::ptrdiff_t>(random.below(cards.size() + 1)), std::string(text));
      break;
    case 2:
      std::swap(text, cards[random.below(cards.size())]);
      break;
    case 3: {  // the same value under another name
      std::string name(keyword);
      name.resize(8, ' ');
      text.replace(0, 8, name);
      break;
    }
    case 4:  // one character
      text[random.below(kCard)] = static_cast<char>(' ' + static_cast<int>(random.below(95)));
      break;
    case 5: {  // a keyword of the list that is there
      for (std::string& other : cards)
        if (keyword_of(other) == keyword) other = card(keyword, random_value(random));
      break;
    }
    default:
      text = card(keyword_of(text), random_value(random));
  }
}

/// Header and data stay in step: as many rows as it says now.
void change_rows(Unit& unit, Random& random) {
  const std::int64_t width = value_of(unit, "NAXIS1");
  if (width <= 0 || width > 1000) return;
  const std::int64_t rows = random.of<std::int64_t>({0, 1, 2, 11, 12, 13, 47, 48, 49, 192});
  for (std::string& text : unit.cards)
    if (keyword_of(text) == "NAXIS2") text = card("NAXIS2", fmt::format("{}", rows));
  unit.data.resize(static_cast<std::size_t>(rows * width));
}

/// A number, most significant byte first, anywhere in the data.
void change_number(Bytes& data, Random& random) {
  std::array<std::uint8_t, 8> bytes{};
  const std::size_t width = random.of<std::size_t>({4, 8});
  if (data.size() < width) return;
  if (width == 8 && random.one_in(2)) {
    const std::int64_t value = random.whole();
    std::memcpy(bytes.data(), &value, 8);
  } else if (width == 8) {
    const double value = random.number();
    std::memcpy(bytes.data(), &value, 8);
  } else if (random.one_in(2)) {
    const auto value = static_cast<std::uint32_t>(random.whole());
    std::memcpy(bytes.data(), &value, 4);
  } else {
    const auto value = static_cast<float>(std::clamp(random.number(), -3e38, 3e38));
    std::memcpy(bytes.data(), &value, 4);
  }
  std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(width));
  std::copy_n(bytes.begin(), width,
              data.begin() + static_cast<std::ptrdiff_t>(random.below(data.size() / width) * width));
}

}  // namespace

void mutate_fits(Bytes& file, std::size_t largest_size, Random& random, const ByteMutator& bytes) {
  std::vector<Unit> units = parse(file);
  if (units.empty()) return;
  for (std::size_t i = 0, changes = 1 + random.below(3); i < changes && !units.empty(); ++i) {
    const std::size_t place = random.one_in(4) ? random.below(units.size()) : units.size() - 1;
    Unit& unit = units[place];
    switch (random.below(12)) {
      case 0:
        bytes(unit.data, largest_size);
        break;
      case 1:
        change_rows(unit, random);
        break;
      case 2:
      case 3:
        change_number(unit.data, random);
        break;
      case 4:
        if (random.one_in(3))
          units.push_back(Unit(unit));
        else if (random.one_in(2))
          units.erase(units.begin() + static_cast<std::ptrdiff_t>(place));
        else
          unit.data.resize(random.below(unit.data.size() + 1));
        break;
      default:
        change_cards(unit, random);
    }
  }
  file = format(units);
}

}  // namespace armilla::fuzz

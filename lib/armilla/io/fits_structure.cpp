#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_structure.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace armilla::io {

namespace {

// FITS standard 4.0: blocks of 2880 bytes, cards of 80 bytes, at most 999 axes and 999 columns.
constexpr Index kFitsBlock = 2880;
constexpr Index kCard = 80;
constexpr Index kMaxAxes = 999;
constexpr Index kMaxColumns = 999;
constexpr Index kMaxHeaderBlocks = 10000;
constexpr Index kMaxBytes = Index{1} << 62;

bool counts(std::string_view key) {
  return key == "ZTABLE" || key == "ZNAXIS1" || key == "ZNAXIS2" || key == "BITPIX" || key == "PCOUNT" ||
         key == "GCOUNT" || key == "TFIELDS" || key.starts_with("NAXIS");
}

struct Header {
  std::map<std::string, std::string> values;  // values of the keywords that declare sizes
  Index blocks = 0;
};

// The header at `begin`; std::nullopt if there is none, as after the last HDU.
std::optional<Header> read_header(const core::InputFile& file, Index begin, const std::string& path, int hdu) {
  Header header;
  std::array<char, kFitsBlock> block{};
  for (bool ended = false; !ended; begin += kFitsBlock) {
    const Index bytes = file.read_some(begin, block);
    if (bytes < kFitsBlock) {
      const bool begins = std::string_view(block.data(), 8) == "XTENSION";
      if (header.blocks == 0 && (bytes < 8 || !begins)) return std::nullopt;
      throw core::InputError(
          fmt::format("'{}' is truncated: the header of HDU {} has no END: download or copy it again", path, hdu));
    }
    const std::string_view first(block.data(), 8);
    if (header.blocks == 0 && first != (hdu == 0 ? "SIMPLE  " : "XTENSION")) return std::nullopt;
    if (++header.blocks > kMaxHeaderBlocks)
      throw core::InputError(fmt::format("'{}': the header of HDU {} has no END: the file is damaged", path, hdu));
    for (Index at = 0; at < kFitsBlock && !ended; at += kCard) {
      const std::string_view card(block.data() + at, kCard);
      const std::string key = trimmed(std::string(card.substr(0, 8)));
      ended = key == "END";
      if (card.substr(8, 2) == "= " && counts(key))
        header.values.try_emplace(key, trimmed(std::string(card.substr(10, card.find('/') - 10))));
    }
  }
  return header;
}

class Counts {
 public:
  Counts(const Header& header, const std::string& path, int hdu) : header_(header), path_(path), hdu_(hdu) {}

  Index at(const std::string& key, Index absent, Index least, Index most) const {
    const auto found = header_.values.find(key);
    if (found == header_.values.end()) return absent;
    const std::string& text = found->second;
    Index value = 0;
    const char* const digits = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto result = std::from_chars(digits, text.data() + text.size(), value);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value < least || value > most)
      throw core::InputError(fmt::format("'{}': {} = {} in HDU {} is not an integer in {} .. {}: the file is damaged",
                                         path_, key, core::excerpt(text), hdu_, least, most));
    return value;
  }

 private:
  const Header& header_;
  const std::string& path_;
  int hdu_;
};

// Size of the data of an HDU in bytes, by section 4.4.1 of the standard; at most kMaxBytes.
Index data_bytes(const Counts& counts) {
  const Index axes = counts.at("NAXIS", 0, 0, kMaxAxes);
  if (axes == 0) return 0;
  Index values = 1;
  bool overflow = false;
  for (Index axis = 1; axis <= axes; ++axis)
    overflow |= __builtin_mul_overflow(values, counts.at(fmt::format("NAXIS{}", axis), 0, 0, kMaxBytes), &values);
  overflow |= __builtin_add_overflow(values, counts.at("PCOUNT", 0, 0, kMaxBytes), &values);
  overflow |= __builtin_mul_overflow(values, counts.at("GCOUNT", 1, 0, kMaxBytes), &values);
  const Index bits = counts.at("BITPIX", 8, -64, 64);
  overflow |= __builtin_mul_overflow(values, (bits < 0 ? -bits : bits) / 8, &values);
  return overflow || values > kMaxBytes / 2 ? kMaxBytes / 2 : values;
}

// Size of the rows of a compressed table after unpacking; at most kMaxBytes.
Index unpacked_bytes(const Counts& counts) {
  Index bytes = 0;
  const Index row = counts.at("ZNAXIS1", 0, 0, kMaxBytes), rows = counts.at("ZNAXIS2", 0, 0, kMaxBytes);
  return __builtin_mul_overflow(row, rows, &bytes) || bytes > kMaxBytes / 4 ? kMaxBytes / 4 : bytes;
}

}  // namespace

FitsStructure check_fits_structure(const std::string& file_path, const std::string& path) {
  const core::InputFile file(file_path);
  FitsStructure structure;
  const Index size = file.size();
  Index begin = 0;
  for (int hdu = 0; begin < size; ++hdu) {
    const std::optional<Header> header = read_header(file, begin, path, hdu);
    if (!header) break;
    const Counts counts(*header, path, hdu);
    counts.at("TFIELDS", 0, 0, kMaxColumns);
    const Index data = begin + header->blocks * kFitsBlock;
    const Index end = data + data_bytes(counts);
    if (end > size)
      throw core::InputError(
          fmt::format("'{}' is truncated: HDU {} ends at byte {}, but the file has {} bytes: download or copy it again",
                      path, hdu, end, size));
    begin = (end + kFitsBlock - 1) / kFitsBlock * kFitsBlock;
    if (const auto packed = header->values.find("ZTABLE"); packed != header->values.end() && packed->second == "T")
      structure.unpacked_bytes = std::min(structure.unpacked_bytes + unpacked_bytes(counts), kMaxBytes / 4);
  }
  return structure;
}

}  // namespace armilla::io

// Cards CREATOR, CHECKSUM and DATASUM of FITS files (FITS standard 4.0, section 4.4.2.7 and appendix J).
#include <armilla/core/build_info.hpp>
#include <armilla/io/fits_handle.hpp>

#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr std::size_t kChecksumLetters = 16;
const std::string kNoChecksum(kChecksumLetters, '0');  // value of the card while the sum is computed

/// Sum in ones' complement, as defined for FITS checksums.
std::uint32_t added(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t sum = std::uint64_t{a} + b;
  return static_cast<std::uint32_t>(sum + (sum >> 32));
}

/// The sum of the words of a card.
std::uint32_t card_sum(fitsfile* file, const char* key, int& status) {
  std::array<char, FLEN_CARD> card{};
  fits_read_card(file, key, card.data(), &status);
  constexpr std::size_t kCardBytes = 80;
  std::string bytes(card.data());
  bytes.resize(kCardBytes, ' ');
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < kCardBytes; i += 4) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 4; ++j) word = word << 8 | static_cast<unsigned char>(bytes[i + j]);
    sum = added(sum, word);
  }
  return sum;
}

}  // namespace

void FitsFile::reserve_cards() const {
  write_fits_text(*this, "CREATOR", fmt::format("armilla {}", core::kVersion), "program that wrote this HDU");
  write_fits_text(*this, "CHECKSUM", kNoChecksum, "checksum of this HDU");
  write_fits_text(*this, "DATASUM", "0", "checksum of the data");
}

/// fits_write_chksum() is not used, because it would add the date.
void FitsFile::write_checksums() const {
  int status = 0;
  for (int hdu = 1, count = hdu_count(); hdu <= count; ++hdu) {
    fits_movabs_hdu(file_, hdu, nullptr, &status);
    fits_modify_key_str(file_, "CHECKSUM", kNoChecksum.c_str(), "&", &status);
    unsigned long data = 0, all = 0;
    fits_get_chksum(file_, &data, &all, &status);
    const std::uint32_t before = card_sum(file_, "DATASUM", status);
    fits_modify_key_str(file_, "DATASUM", std::to_string(data).c_str(), "&", &status);
    // The data are not read again, because only one card has changed.
    all = added(added(static_cast<std::uint32_t>(all), ~before), card_sum(file_, "DATASUM", status));
    std::array<char, kChecksumLetters + 1> letters{};
    fits_encode_chksum(all, 1, letters.data());
    fits_modify_key_str(file_, "CHECKSUM", letters.data(), "&", &status);
  }
  check(status, "its checksums cannot be written: check the disk");
}

}  // namespace armilla::io

#include <armilla/core/error.hpp>
#include <armilla/io/kernel_table.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/write.hpp>

#include <cmath>
#include <fstream>
#include <limits>
#include <utility>
#include <vector>

#include "foreign_support.hpp"
#include "io_support.hpp"
#include "support/reference_data.hpp"

// Spectra as other programs write them. The files of tests/data/foreign contain D_l of C_l = 1000 / l^2 for TT; EE, BB
// and TE are 0.1, 0.01 and 0.2 of it.
namespace armilla::test {

namespace {

std::string foreign(const std::string& name) { return source_file("tests/data/foreign/" + name); }

void expect_power_law(const alm::SpectraTable& table, const std::string& name, double factor, double relative) {
  const std::vector<double>* column = table.find(name);
  ASSERT_NE(column, nullptr) << name;
  EXPECT_EQ((*column)[0], 0.0);
  EXPECT_EQ((*column)[1], 0.0);
  for (Index l = 2; l <= table.lmax; ++l) {
    const double expected = factor * 1000 / static_cast<double>(l * l);
    EXPECT_NEAR((*column)[static_cast<std::size_t>(l)], expected, relative * expected) << name << " l = " << l;
  }
}

}  // namespace

TEST(ForeignText, SpectraOfClassFortranAndSpreadsheetsAreRead) {
  // Digits in the files: 12, 6 and 7.
  const alm::SpectraTable of_class = io::read_spectra(foreign("class_cl.dat"), true);
  EXPECT_EQ(of_class.names, (std::vector<std::string>{"TT", "EE", "TE", "BB", "phiphi", "TPhi", "Ephi"}));
  expect_power_law(of_class, "TT", 1, 1e-11);
  expect_power_law(of_class, "EE", 0.1, 1e-11);
  expect_power_law(of_class, "TE", 0.2, 1e-11);
  // CLASS multiplies all columns by l (l + 1) / (2 pi).
  EXPECT_NEAR((*of_class.find("phiphi"))[2], 1e-9 * 2 * core::kPi / 6, 1e-20);
  const alm::SpectraTable csv = io::read_spectra(foreign("csv_spectra.csv"), true);
  EXPECT_EQ(csv.names, (std::vector<std::string>{"TT", "EE", "BB", "TE"}));
  expect_power_law(csv, "TT", 1, 1e-5);
  expect_power_law(csv, "BB", 0.01, 1e-5);
  expect_power_law(io::read_spectra(foreign("fortran_d.txt"), true), "TT", 1, 1e-6);
}

TEST(ForeignText, HeadersSeparatorsAndNumbersOfOtherProgramsMeanTheSame) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> texts{
      {"space.dat", "# L TT EE\n2 1.5 -2500\n3 2.5 0.125\n"},
      {"comma.csv", "l,TT,EE\n2,1.5,-2500\n3,2.5,0.125\n"},
      {"comment.csv", "# ell, TT, EE\n2, 1.5, -2500\n3, 2.5, 0.125\n"},
      {"quoted.csv", "\"ell\",\"TT\",\"EE\"\n2,1.5,-2500\n3,2.5,0.125\n"},
      {"class.dat", "# C_l of l = 2 to 3\n#  1:l  2:TT 3:EE\n 2 1.5 -2.5e3\n 3 2.5 0.125\n"},
      {"plain.txt", "ell TT EE\n2 1.5 -2500\n3 2.5 0.125\n"},
      {"later.dat", "# L TT EE\n# written on a Tuesday\n2 1.5 -2500\n3 2.5 0.125\n"},
      {"fortran.dat", "# L TT EE\n2 1.5D0 -.25D+04\n3 0.25d+01 1.25D-1\n"},
      {"windows.csv", "\xef\xbb\xbfl,TT,EE\r\n2,1.5,-2500\r\n3,2.5,0.125\r\n"},
      {"last.dat", "# TT EE L\n1.5 -2500 2\n2.5 0.125 3\n"}};
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(name);
    std::ofstream(folder / name, std::ios::binary) << text;
    EXPECT_EQ(io::file_kind(folder / name), io::FileKind::kSpectra);
    const alm::SpectraTable table = io::read_spectra(folder / name, false);
    EXPECT_EQ(table.names, (std::vector<std::string>{"TT", "EE"}));
    EXPECT_EQ(*table.find("TT"), (std::vector<double>{0, 0, 1.5, 2.5}));
    EXPECT_EQ(*table.find("EE"), (std::vector<double>{0, 0, -2500, 0.125}));
  }
}

TEST(ForeignText, ExponentsOfThreeDigitsHaveNoLetterInFortran) {
  const TemporaryFolder folder;
  std::ofstream(folder / "small.dat") << "# L TT EE\n0 0.125-120 1.5D-120\n1 -0.25+101 0.25D+101\n";
  const alm::SpectraTable table = io::read_spectra(folder / "small.dat", false);
  EXPECT_EQ(*table.find("TT"), (std::vector<double>{0.125e-120, -0.25e101}));
  EXPECT_EQ(*table.find("EE"), (std::vector<double>{1.5e-120, 0.25e101}));
  for (const char* word : {"1.5D", "1D2D3", "D3", "1-", "1.5-x", "12-34", "2021-12", "2021-123", "1.5-12"}) {
    std::ofstream(folder / "bad.dat") << "# L TT\n0 1\n1 " << word << "\n";
    expect_error<core::InputError>([&] { io::read_spectra(folder / "bad.dat", false); },
                                   {"bad.dat', line 3", word, "is not a number"});
  }
}

TEST(ForeignText, ColumnsOfFilesThatDoNotNameThemAreNamedByTheCaller) {
  const TemporaryFolder folder;
  const std::vector<std::string> names{"l", "TT", "EE"};
  for (const char* text :
       {"2 1.5 3\n3 2.5 4\n", "# of some run\n2 1.5 3\n3 2.5 4\n", "multipole,a,b\n2,1.5,3\n3,2.5,4\n"}) {
    std::ofstream(folder / "x.dat") << text;
    const alm::SpectraTable table = io::read_spectra(folder / "x.dat", false, names);
    EXPECT_EQ(*table.find("TT"), (std::vector<double>{0, 0, 1.5, 2.5})) << text;
    EXPECT_EQ(*table.find("EE"), (std::vector<double>{0, 0, 3, 4})) << text;
  }
  std::ofstream(folder / "x.dat") << "2 1.5 3\n";
  expect_error<core::InputError>([&] { io::read_spectra(folder / "x.dat", false); },
                                 {"x.dat", "no line names the columns", "# L TT EE BB TE", "columns"});
  expect_error<core::InputError>(
      [&] {
        io::read_spectra(folder / "x.dat", false, {"l", "TT"});
      },
      {"x.dat", "3 words", "2 column names, l, TT"});
  expect_error<core::InputError>(
      [&] {
        io::read_spectra(folder / "x.dat", false, {"a", "TT", "EE"});
      },
      {"x.dat", "no column L or ELL", "a,TT,EE"});
  append_fits_table(folder / "x.fits", {{"COL1", "D", {1, 2}}, {"COL2", "D", {3, 4}}}, 2, {});
  EXPECT_EQ(*io::read_spectra(folder / "x.fits", false, {"TT", "EE"}).find("EE"), (std::vector<double>{3, 4}));
  expect_error<core::InputError>([&] { io::read_spectra(folder / "x.fits", false, {"TT"}); },
                                 {"x.fits", "has 2 columns, but 1 were named"});
  make_hdf5(folder / "x.h5", [](hid_t file) { H5Dclose(add_hdf5_dataset(file, "cl", {2, 2}, {}, {1, 2, 3, 4})); });
  EXPECT_EQ(*io::read_spectra(folder / "x.h5", false, {"TT", "EE"}).find("EE"), (std::vector<double>{3, 4}));
}

TEST(ForeignText, UnitsWithCommasKeepTheirFormOverRoundTrips) {
  const TemporaryFolder folder;
  std::ofstream(folder / "0.dat") << "# unit: mK,thermodynamic\n# L TT EE EB\n0 1 2 3\n1 3 4 5\n";
  for (const auto& [from, to] : {std::pair{"0.dat", "1.dat"}, {"1.dat", "2.dat"}}) {
    const alm::SpectraTable table = io::read_spectra(folder / from, false);
    EXPECT_EQ(table.unit, "mK,thermodynamic") << from;
    io::write_spectra(comm::Communicator::self(), folder / to, table);
  }
  EXPECT_EQ(io::read_spectra(folder / "2.dat", false).unit, "mK,thermodynamic");
}

TEST(ForeignText, ColumnsOfKernelsGoByNameIfTheyHaveOne) {
  const TemporaryFolder folder;
  for (const char* text : {"0 1\n0.5 0.25\n", "theta kernel\n0 1\n0.5 0.25\n", "kernel theta\n1 0\n0.25 0.5\n",
                           "# kernel theta\n1 0\n0.25 0.5\n", "# a table\n0 1\n0.5 0.25\n", "x y\n0 1\n0.5 0.25\n",
                           "error,Kernel,Theta\n9,1,0\n9,0.25,0.5\n"}) {
    std::ofstream(folder / "k.dat") << text;
    const io::KernelTable table = io::read_kernel_table(folder / "k.dat");
    EXPECT_EQ(table.theta, (std::vector<double>{0, 0.5})) << text;
    EXPECT_EQ(table.values, (std::vector<double>{1, 0.25})) << text;
  }
}

TEST(ForeignText, SpectraHaveOneUnit) {
  const TemporaryFolder folder;
  append_fits_table(folder / "cl.fits", {{"TT", "1D", {1, 2}}, {"EE", "1D", {3, 4}}}, 2,
                    {{"TUNIT1", "uK^2"}, {"TUNIT2", "K^2"}});
  expect_error<core::InputError>([&] { io::read_spectra(folder / "cl.fits", false); },
                                 {"cl.fits", "uK^2,K^2", "one unit"});
}

}  // namespace armilla::test

#include <armilla/core/error.hpp>
#include <armilla/io/hdf5_driver.hpp>
#include <armilla/io/hdf5_image.hpp>

#include <algorithm>
#include <new>

namespace armilla::io {

struct Hdf5Image::Content {
  std::map<Index, std::vector<std::byte>> pages;  // by position, a multiple of kPage
  Index size = 0;
  bool failed = false;  // memory was exhausted
};

namespace {

using Content = Hdf5Image::Content;

constexpr Index kPage = Index{1} << 14;  // bytes

struct OpenImage : DriverFile {
  explicit OpenImage(Content& of) : content(of) {}
  Content& content;
};

Content& content_of(H5FD_t* file) { return static_cast<OpenImage*>(file)->content; }

// Calls work(position in the page, begin of the page, bytes) for each page that the bytes overlap.
template <class Work>
void for_pages(haddr_t address, std::size_t size, Work work) {
  auto position = static_cast<Index>(address);
  for (auto left = static_cast<Index>(size); left > 0;) {
    const Index offset = position % kPage;
    const Index bytes = std::min(kPage - offset, left);
    work(offset, position - offset, bytes);
    position += bytes;
    left -= bytes;
  }
}

H5FD_t* open_image(const char*, unsigned flags, hid_t access, haddr_t) {
  if ((flags & H5F_ACC_CREAT) == 0) return nullptr;  // HDF5 first looks for an existing file
  const auto* content = static_cast<Content* const*>(H5Pget_driver_info(access));
  return content == nullptr ? nullptr : new (std::nothrow) OpenImage(**content);
}

herr_t close_image(H5FD_t* file) {
  auto* const image = static_cast<OpenImage*>(file);
  image->content.size = static_cast<Index>(image->end_of_file);
  delete image;
  return 0;
}

herr_t read_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  auto* out = static_cast<std::byte*>(buffer);
  for_pages(address, size, [&](Index offset, Index page, Index bytes) {
    const auto found = content_of(file).pages.find(page);
    // A page is empty if its allocation failed.
    if (found == content_of(file).pages.end() || found->second.empty())
      std::fill_n(out, bytes, std::byte{0});
    else
      std::copy_n(found->second.begin() + offset, bytes, out);
    out += bytes;
  });
  return 0;
}

// HDF5 does not learn of a failure: Hdf5Image::close() throws instead.
herr_t write_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  Content& content = content_of(file);
  const auto* in = static_cast<const std::byte*>(buffer);
  try {
    for_pages(address, size, [&](Index offset, Index page, Index bytes) {
      std::vector<std::byte>& target = content.pages[page];
      if (target.empty()) target.resize(static_cast<std::size_t>(kPage));
      std::copy_n(in, bytes, target.begin() + offset);
      in += bytes;
    });
  } catch (const std::bad_alloc&) {
    content.failed = true;
  }
  auto* const image = static_cast<OpenImage*>(file);
  image->end_of_file = std::max(image->end_of_file, address + size);
  return 0;
}

herr_t truncate_image(H5FD_t* file, hid_t, hbool_t) {
  auto* const image = static_cast<OpenImage*>(file);
  image->end_of_file = image->end_of_addresses;
  return 0;
}

hid_t register_image_driver() {
  H5FD_class_t driver = hdf5_driver("armilla_image");
  driver.fc_degree = H5F_CLOSE_STRONG;  // no object of the file outlives it
  driver.fapl_size = sizeof(Content*);
  driver.open = open_image;
  driver.close = close_image;
  driver.read = read_image;
  driver.write = write_image;
  driver.truncate = truncate_image;
  return register_hdf5_driver(driver);
}

}  // namespace

Hdf5Image::Hdf5Image() : content_(std::make_unique<Content>()) {
  silence_hdf5();
  static const hid_t driver = register_image_driver();
  const Content* const info = content_.get();
  const Hdf5Handle access = hdf5_access(driver, &info);
  file_ = Hdf5Handle(H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose, kResource,
                     "HDF5 cannot create a file in memory");
}

Hdf5Image::~Hdf5Image() = default;

void Hdf5Image::close() {
  file_.close("HDF5 cannot complete a file in memory");
  if (content_->failed) throw core::ResourceError("the memory does not suffice for the tables of an HDF5 file");
  // Pages end at multiples of their size, the file may end before.
  for (auto& [position, bytes] : content_->pages)
    bytes.resize(static_cast<std::size_t>(std::clamp<Index>(content_->size - position, 0, kPage)));
}

Index Hdf5Image::size() const { return content_->size; }

const std::map<Index, std::vector<std::byte>>& Hdf5Image::pieces() const { return content_->pages; }

}  // namespace armilla::io

#pragma once

#include <armilla/core/error.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <utility>

/// The C interface, armilla.h: handles, calls and their errors.
namespace armilla::capi {

/// The objects that handles stand for, of all threads of the process. Object is a struct with `kName`, the name of its
/// kind in messages.
class Handles {
  struct Entry {
    const std::type_info* type;
    const char* name;
    std::shared_ptr<void> object;
    std::atomic<bool> in_use = false;
  };

 public:
  static Handles& all();

  template <class Object>
  std::int64_t add(std::shared_ptr<Object> object) {
    return add_entry(std::make_shared<Entry>(&typeid(Object), Object::kName, std::move(object)));
  }

  /// An object in use by a call.
  template <class Object>
  class Use {
   public:
    explicit Use(std::shared_ptr<Entry> entry) : entry_(std::move(entry)) {}
    ~Use() {
      if (entry_) entry_->in_use = false;
    }
    Use(Use&& other) noexcept : entry_(std::move(other.entry_)) {}
    Use& operator=(Use&&) = delete;

    Object* operator->() const { return static_cast<Object*>(entry_->object.get()); }
    Object& operator*() const { return *operator->(); }
    std::shared_ptr<Object> shared() const { return std::static_pointer_cast<Object>(entry_->object); }

   private:
    std::shared_ptr<Entry> entry_;
  };

  /// Throws InputError for a handle that is null, freed, of another kind, or in use by another thread.
  template <class Object>
  Use<Object> use(std::int64_t id) {
    return Use<Object>(use_entry(id, typeid(Object), Object::kName));
  }

  /// Destroys the object. Throws like use().
  template <class Object>
  void remove(std::int64_t id) {
    static_cast<void>(use<Object>(id));
    remove_entry(id);
  }

 private:
  std::int64_t add_entry(std::shared_ptr<Entry> entry);
  std::shared_ptr<Entry> use_entry(std::int64_t id, const std::type_info& type, const char* name);
  void remove_entry(std::int64_t id);

  std::mutex lock_;
  std::int64_t last_ = 0;
  std::unordered_map<std::int64_t, std::shared_ptr<Entry>> entries_;
};

/// Keeps the error being handled for armilla_last_error(), and returns its status. Call only in a catch block.
int keep_error() noexcept;
/// The message of the last call of this thread that failed.
const char* last_error() noexcept;

/// The body of a function of the C interface: its status.
template <class Work>
int guarded(Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
    return 0;
  } catch (...) {
    return keep_error();
  }
}

/// A pointer that a function writes to or reads, called `name` in armilla.h. Throws InputError if it is null.
template <class Value>
Value& at_pointer(Value* pointer, const char* name) {
  if (pointer == nullptr) throw core::InputError(std::string(name) + " is NULL: pass an address");
  return *pointer;
}

/// A text. Throws InputError if it is null.
inline std::string text(const char* pointer, const char* name) { return &at_pointer(pointer, name); }

/// The values at a pointer. Throws InputError for a negative size, and for NULL with values.
template <class Value>
std::span<Value> values(Value* pointer, std::int64_t size, const char* name) {
  if (size < 0) throw core::InputError(std::string("the size of ") + name + " is negative");
  if (size > 0) static_cast<void>(at_pointer(pointer, name));
  return {pointer, static_cast<std::size_t>(size)};
}

/// Creates an object and its handle.
template <class Object, class Handle, class Make>
int create(Handle* handle, Make&& make) noexcept {
  return guarded([&] {
    at_pointer(handle, "the handle to be set") = Handle{0};
    handle->id = Handles::all().add<Object>(std::make_shared<Object>(std::forward<Make>(make)()));
  });
}

/// Destroys an object and clears its handle; null handles are ignored.
template <class Object, class Handle>
int destroy(Handle* handle) noexcept {
  return guarded([&] {
    if (at_pointer(handle, "the handle").id == 0) return;
    Handles::all().remove<Object>(handle->id);
    handle->id = 0;
  });
}

}  // namespace armilla::capi

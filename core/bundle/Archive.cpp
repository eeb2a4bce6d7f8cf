//===- core/bundle/Archive.cpp - libarchive, and nobody else sees it ------===//

#include "core/bundle/Archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <set>

namespace memreflens::bundle {

using Writer = std::unique_ptr<archive, int (*)(archive *)>;
using Entry = std::unique_ptr<archive_entry, void (*)(archive_entry *)>;

static std::string messageOf(archive *one, const char *otherwise) {
  const char *text = archive_error_string(one);
  return text && *text ? text : otherwise;
}

//===--- Writing ----------------------------------------------------------===//

/// Called by libarchive with each piece.
static la_ssize_t append(archive *, void *target, const void *bytes,
                         size_t size) {
  static_cast<std::string *>(target)->append(static_cast<const char *>(bytes),
                                             size);
  return la_ssize_t(size);
}

static bool writeFile(archive *out, const File &file) {
  Entry entry(archive_entry_new(), archive_entry_free);
  archive_entry_set_pathname(entry.get(), file.name.c_str());
  archive_entry_set_size(entry.get(), la_int64_t(file.bytes.size()));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_uid(entry.get(), 0);
  archive_entry_set_gid(entry.get(), 0);
  archive_entry_set_mtime(entry.get(), 0, 0);
  return archive_write_header(out, entry.get()) == ARCHIVE_OK &&
         archive_write_data(out, file.bytes.data(), file.bytes.size()) ==
             la_ssize_t(file.bytes.size());
}

std::string pack(const std::vector<File> &files, std::string &error) {
  std::string bytes;
  Writer out(archive_write_new(), archive_write_free);
  // Without "!timestamp" the compressed bytes hold the time.
  bool good =
      archive_write_set_format_ustar(out.get()) == ARCHIVE_OK &&
      archive_write_add_filter_gzip(out.get()) == ARCHIVE_OK &&
      archive_write_set_options(out.get(),
                                "gzip:!timestamp,gzip:compression-level=9") ==
          ARCHIVE_OK &&
      archive_write_set_bytes_in_last_block(out.get(), 1) == ARCHIVE_OK &&
      archive_write_open(out.get(), &bytes, nullptr, append, nullptr) ==
          ARCHIVE_OK;
  for (const File &file : files)
    good = good && writeFile(out.get(), file);
  good = good && archive_write_close(out.get()) == ARCHIVE_OK;
  if (good)
    return bytes;
  error = messageOf(out.get(), "cannot make the archive");
  return {};
}

//===--- Reading ----------------------------------------------------------===//

/// Relative, and nowhere above where it begins.
static bool isPlainName(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.size() > 255)
    return false;
  while (true) {
    std::string_view part = name.substr(0, name.find('/'));
    if (part.empty() || part == "." || part == ".." ||
        part.find_first_of("\\:\n\r\t\x1b") != part.npos)
      return false;
    if (part.size() == name.size())
      return true;
    name.remove_prefix(part.size() + 1);
  }
}

/// Why the entry is none of ours; empty if it may be one.
static std::string faultOf(archive_entry *entry) {
  const char *name = archive_entry_pathname(entry);
  if (archive_entry_filetype(entry) != AE_IFREG ||
      archive_entry_hardlink(entry) || archive_entry_symlink(entry))
    return "it holds something that is no plain file";
  if (!name || !isPlainName(name))
    return "it holds a file whose name leads elsewhere";
  return {};
}

static std::string tooLarge(const Limits &limits) {
  return "unpacked it is larger than the limit of " +
         std::to_string(limits.bytes >> 20) + " MiB";
}

/// False without a message where there are more than `most`.
static bool readBytes(archive *in, std::string &bytes, size_t most,
                      std::string &error) {
  std::string piece(1 << 16, '\0');
  while (true) {
    la_ssize_t got = archive_read_data(in, piece.data(), piece.size());
    if (got < 0) {
      error = messageOf(in, "it is damaged");
      return false;
    }
    if (got == 0)
      return true;
    if (size_t(got) > most - bytes.size())
      return false;
    bytes.append(piece.data(), size_t(got));
  }
}

/// What one member of gzip holds, whose checksum libarchive would not compare;
/// nothing, with a message, if it is damaged, larger than the limit, or not
/// all.
static std::optional<std::string>
unzip(std::string_view bytes, const Limits &limits, std::string &error) {
  constexpr int gzipOnly = 15 + 16;
  z_stream in = {};
  if (inflateInit2(&in, gzipOnly) != Z_OK) {
    error = "no memory";
    return std::nullopt;
  }
  std::unique_ptr<z_stream, int (*)(z_stream *)> ended(&in, inflateEnd);
  std::string unpacked, piece(1 << 16, '\0');
  int status = Z_OK;
  while (status == Z_OK) {
    if (in.avail_in == 0) {
      // zlib counts in 32 bits.
      in.avail_in = uInt(std::min<size_t>(bytes.size(), 1 << 30));
      in.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
      bytes.remove_prefix(in.avail_in);
    }
    in.next_out = reinterpret_cast<Bytef *>(piece.data());
    in.avail_out = uInt(piece.size());
    status = inflate(&in, Z_NO_FLUSH);
    unpacked.append(piece.data(), piece.size() - in.avail_out);
    if (unpacked.size() > limits.bytes) {
      error = tooLarge(limits);
      return std::nullopt;
    }
  }
  if (status != Z_STREAM_END)
    error = status == Z_BUF_ERROR ? "it ends too early"
            : in.msg              ? in.msg
                                  : "gzip decompression failed";
  else if (in.avail_in > 0 || !bytes.empty())
    error = "something follows its end";
  if (error.empty())
    return unpacked;
  error = "it is damaged: " + error;
  return std::nullopt;
}

std::optional<std::vector<File>>
unpack(std::string_view bytes, std::string &error, const Limits &limits) {
  const std::optional<std::string> tar = unzip(bytes, limits, error);
  if (!tar)
    return std::nullopt;
  Writer in(archive_read_new(), archive_read_free);
  // Of all that libarchive can read, only what `pack` makes: nothing that is
  // compressed again.
  if (archive_read_support_format_tar(in.get()) != ARCHIVE_OK ||
      archive_read_open_memory(in.get(), tar->data(), tar->size()) !=
          ARCHIVE_OK) {
    error = messageOf(in.get(), "it is no archive");
    return std::nullopt;
  }
  std::vector<File> files;
  std::set<std::string> names;
  size_t left = limits.bytes;
  while (true) {
    archive_entry *entry = nullptr;
    int status = archive_read_next_header(in.get(), &entry);
    if (status == ARCHIVE_EOF)
      break;
    if (status != ARCHIVE_OK)
      error = messageOf(in.get(), "it is damaged");
    else if (files.size() == limits.files)
      error = "it holds more than " + std::to_string(limits.files) + " files";
    else if (archive_entry_size(entry) > la_int64_t(left))
      error = tooLarge(limits);
    else
      error = faultOf(entry);
    if (!error.empty())
      return std::nullopt;
    File file{archive_entry_pathname(entry), {}};
    if (!names.insert(file.name).second) {
      error = "it holds two files of one name";
      return std::nullopt;
    }
    if (!readBytes(in.get(), file.bytes, left, error)) {
      if (error.empty())
        error = tooLarge(limits);
      return std::nullopt;
    }
    left -= file.bytes.size();
    files.push_back(std::move(file));
  }
  return files;
}

bool isCompressed(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

} // namespace memreflens::bundle

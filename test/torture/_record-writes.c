/* Records, in order, what a process writes to a SQLite database and its log and when it syncs them: for sqlite-power.mjs.
 * Loaded by LD_PRELOAD. TREADLE_RECORD names the file that the records are appended to, TREADLE_RECORD_DATABASE the database.
 * A record: kind ('W' write, 'T' truncate, 'S' sync), file ('d' database, 'w' log), 6 bytes of nothing, offset and length of
 * 8 bytes each, then the bytes of a write. A sync is recorded once it has succeeded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int record_file = -1;

struct record {
  char kind;
  char file;
  char nothing[6];
  uint64_t offset;
  uint64_t length;
};

/* 'd', 'w', or 0 for any other file. */
static char find_file(int fd) {
  const char *database = getenv("TREADLE_RECORD_DATABASE");
  char link[64];
  char path[PATH_MAX];
  size_t length;
  ssize_t size;
  if (database == NULL) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  length = strlen(database);
  if (strncmp(path, database, length) != 0) return 0;
  if (path[length] == 0) return 'd';
  return strcmp(path + length, "-wal") == 0 ? 'w' : 0;
}

static void record(char kind, char file, uint64_t offset, const void *bytes, uint64_t length) {
  struct record head = {kind, file, {0}, offset, length};
  struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, bytes == NULL ? 0 : length}};
  if (record_file < 0) record_file = open(getenv("TREADLE_RECORD"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (writev(record_file, parts, 2) < 0) abort();
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t write_at(__typeof__(&pwrite64) real, int fd, const void *bytes, size_t length, off64_t offset) {
  char file = find_file(fd);
  ssize_t done;
  if (file == 0) return real(fd, bytes, length, offset);
  pthread_mutex_lock(&turn);
  done = real(fd, bytes, length, offset);
  if (done > 0) record('W', file, (uint64_t)offset, bytes, (uint64_t)done);
  pthread_mutex_unlock(&turn);
  return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
  return write_at(REAL(pwrite64), fd, bytes, length, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
  return write_at((__typeof__(&pwrite64))REAL(pwrite), fd, bytes, length, offset);
}

static int sync_file(int (*real)(int), int fd) {
  char file = find_file(fd);
  int failed;
  if (file == 0) return real(fd);
  pthread_mutex_lock(&turn);
  failed = real(fd);
  if (!failed) record('S', file, 0, NULL, 0);
  pthread_mutex_unlock(&turn);
  return failed;
}

int fsync(int fd) { return sync_file(REAL(fsync), fd); }
int fdatasync(int fd) { return sync_file(REAL(fdatasync), fd); }

static int truncate_to(int (*real)(int, off64_t), int fd, off64_t length) {
  char file = find_file(fd);
  int failed;
  if (file == 0) return real(fd, length);
  pthread_mutex_lock(&turn);
  failed = real(fd, length);
  if (!failed) record('T', file, (uint64_t)length, NULL, 0);
  pthread_mutex_unlock(&turn);
  return failed;
}

int ftruncate64(int fd, off64_t length) { return truncate_to(REAL(ftruncate64), fd, length); }
int ftruncate(int fd, off_t length) { return truncate_to((int (*)(int, off64_t))REAL(ftruncate), fd, length); }

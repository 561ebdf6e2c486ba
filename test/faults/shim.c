/*
 * Makes the disk fail on demand. Preloaded into a process, it counts the calls that change files whose path contains
 * FAULT_PATTERN, and lets the n-th one fail. The process steers it by reading files that do not exist:
 *
 *   /fault/arm/<kind>/<n>/<how>   from now on counted from 1, the n-th call of this kind fails; every later one too if <how> ends in +
 *   /fault/off                    nothing fails any more
 *   /fault/counts                 calls since the counters were set back, as "kind count" lines
 *   /fault/reset                  sets the counters and the trace back
 *   /fault/trace                  the calls since then, as "kind path" lines
 *
 *   kind: write (write, pwrite, writev, pwritev), sync (fsync, fdatasync), truncate, rename, unlink, create (open with O_CREAT, mkdir), any
 *   how:  EIO, ENOSPC, EROFS, short (half of the bytes are written), kill (SIGKILL before the call), torn (half of the bytes, then SIGKILL)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { K_WRITE, K_SYNC, K_TRUNCATE, K_RENAME, K_UNLINK, K_CREATE, K_COUNT, K_ANY = K_COUNT };
static const char *const kind_names[] = {"write", "sync", "truncate", "rename", "unlink", "create", "any"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long counts[K_COUNT];
static int armed = -1;
static long armed_at, armed_seen;
static char how[16];
static int sticky;
static char *trace;
static size_t trace_size, trace_used;

/*
 * The functions of the C library, looked up once: a signal may come while a thread looks one up or loads a library, and its handler writes.
 * To look up again from there would wait for ever for the lock that its own thread holds.
 */
#define EACH(X) \
  X(fdatasync) X(fsync) X(ftruncate) X(ftruncate64) X(mkdir) X(open) \
  X(open64) X(openat) X(pwrite) X(pwrite64) X(pwritev) X(rename) \
  X(unlink) X(write) X(writev)
#define KEPT(name) static __typeof__(&name) real_##name;
#define LOOKED_UP(name) real_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name);
EACH(KEPT)
__attribute__((constructor)) static void look_up(void) { EACH(LOOKED_UP) }

/* Other libraries may begin before this one has. */
#define REAL(name) ((real_##name == NULL ? look_up() : (void)0), real_##name)

static int matches(const char *path) {
  const char *pattern = getenv("FAULT_PATTERN");
  return pattern != NULL && path != NULL && strstr(path, pattern) != NULL;
}

static const char *path_of(int fd, char *buffer, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, buffer, size - 1);
  if (length < 0) return NULL;
  buffer[length] = 0;
  return buffer;
}

static void remember(enum kind kind, const char *path) {
  size_t need = strlen(kind_names[kind]) + strlen(path) + 3;
  if (trace_used + need > trace_size) {
    trace_size = (trace_size + need) * 2;
    trace = realloc(trace, trace_size);
  }
  trace_used += (size_t)sprintf(trace + trace_used, "%s %s\n", kind_names[kind], path);
}

/* Whether this call is the one. */
static int strikes(enum kind kind, const char *path) {
  if (!matches(path)) return 0;
  pthread_mutex_lock(&lock);
  counts[kind] += 1;
  remember(kind, path);
  int hit = 0;
  if (armed == (int)kind || armed == K_ANY) {
    armed_seen += 1;
    hit = armed_seen == armed_at || (sticky && armed_seen > armed_at);
  }
  pthread_mutex_unlock(&lock);
  if (hit && strcmp(how, "kill") == 0) raise(SIGKILL);
  return hit;
}

static int refuse(void) {
  errno = strcmp(how, "ENOSPC") == 0 ? ENOSPC : strcmp(how, "EROFS") == 0 ? EROFS : EIO;
  return -1;
}

static int halves(void) { return strcmp(how, "short") == 0 || strcmp(how, "torn") == 0; }

static ssize_t half_done(ssize_t done) {
  if (strcmp(how, "torn") == 0) raise(SIGKILL);
  return done;
}

/* An answer that can be read like a file. */
static int answer(const char *text, size_t size) {
  int fd = memfd_create("fault", 0);
  if (fd < 0) return -1;
  if (size > 0 && REAL(pwrite)(fd, text, size, 0) < 0) return -1;
  return fd;
}

static int steer(const char *request) {
  char text[512] = "";
  size_t used = 0;
  char kind[16];
  long n;
  char manner[16];
  pthread_mutex_lock(&lock);
  if (sscanf(request, "arm/%15[a-z]/%ld/%15s", kind, &n, manner) == 3) {
    for (armed = 0; armed < K_ANY && strcmp(kind, kind_names[armed]) != 0;) armed += 1;
    armed_at = n;
    armed_seen = 0;
    size_t length = strlen(manner);
    sticky = length > 0 && manner[length - 1] == '+';
    if (sticky) manner[length - 1] = 0;
    strcpy(how, manner);
  } else if (strcmp(request, "off") == 0) {
    armed = -1;
  } else if (strcmp(request, "reset") == 0) {
    memset(counts, 0, sizeof counts);
    trace_used = 0;
  } else if (strcmp(request, "counts") == 0) {
    for (int i = 0; i < K_COUNT; i += 1)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s %ld\n", kind_names[i], counts[i]);
  } else if (strcmp(request, "trace") == 0) {
    int fd = answer(trace, trace_used);
    pthread_mutex_unlock(&lock);
    return fd;
  }
  pthread_mutex_unlock(&lock);
  return answer(text, used);
}

static int open_with(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  if (strncmp(path, "/fault/", 7) == 0) return steer(path + 7);
  if ((flags & O_CREAT) != 0 && strikes(K_CREATE, path)) return refuse();
  return real(path, flags, mode);
}

static mode_t mode_from(int flags, va_list rest) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_from(flags, rest);
  va_end(rest);
  return open_with(REAL(open), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_from(flags, rest);
  va_end(rest);
  return open_with(REAL(open64), path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_from(flags, rest);
  va_end(rest);
  if ((flags & O_CREAT) != 0 && strikes(K_CREATE, path)) return refuse();
  return REAL(openat)(folder, path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
  if (strikes(K_CREATE, path)) return refuse();
  return REAL(mkdir)(path, mode);
}

static int write_strikes(int fd) {
  char buffer[4096];
  return strikes(K_WRITE, path_of(fd, buffer, sizeof buffer));
}

ssize_t write(int fd, const void *data, size_t size) {
  if (!write_strikes(fd)) return REAL(write)(fd, data, size);
  if (!halves()) return refuse();
  return half_done(REAL(write)(fd, data, size / 2));
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  if (!write_strikes(fd)) return REAL(pwrite)(fd, data, size, at);
  if (!halves()) return refuse();
  return half_done(REAL(pwrite)(fd, data, size / 2, at));
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  if (!write_strikes(fd)) return REAL(pwrite64)(fd, data, size, at);
  if (!halves()) return refuse();
  return half_done(REAL(pwrite64)(fd, data, size / 2, at));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (!write_strikes(fd)) return REAL(writev)(fd, parts, count);
  if (!halves()) return refuse();
  return half_done(REAL(write)(fd, parts[0].iov_base, parts[0].iov_len / 2));
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  if (!write_strikes(fd)) return REAL(pwritev)(fd, parts, count, at);
  if (!halves()) return refuse();
  return half_done(REAL(pwrite)(fd, parts[0].iov_base, parts[0].iov_len / 2, at));
}

int fsync(int fd) {
  char buffer[4096];
  return strikes(K_SYNC, path_of(fd, buffer, sizeof buffer)) ? refuse() : REAL(fsync)(fd);
}

int fdatasync(int fd) {
  char buffer[4096];
  return strikes(K_SYNC, path_of(fd, buffer, sizeof buffer)) ? refuse() : REAL(fdatasync)(fd);
}

int ftruncate(int fd, off_t size) {
  char buffer[4096];
  return strikes(K_TRUNCATE, path_of(fd, buffer, sizeof buffer)) ? refuse() : REAL(ftruncate)(fd, size);
}

int ftruncate64(int fd, off64_t size) {
  char buffer[4096];
  return strikes(K_TRUNCATE, path_of(fd, buffer, sizeof buffer)) ? refuse() : REAL(ftruncate64)(fd, size);
}

int rename(const char *from, const char *to) {
  return strikes(K_RENAME, to) ? refuse() : REAL(rename)(from, to);
}

int unlink(const char *path) { return strikes(K_UNLINK, path) ? refuse() : REAL(unlink)(path); }

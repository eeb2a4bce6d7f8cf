//===- core/execute/jit/Sandbox.cpp ---------------------------------------===//

#include "core/execute/jit/Sandbox.h"

#include <unistd.h>
#ifdef __linux__
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <vector>
#endif

namespace memreflens::execute {

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

bool enterSandbox(bool mayWrite) {
  std::vector<int> allowed = {SYS_mmap,    SYS_munmap,       SYS_mprotect,
                              SYS_madvise, SYS_brk,          SYS_futex,
                              SYS_exit,    SYS_exit_group,   SYS_rt_sigreturn,
                              SYS_mremap,  SYS_clock_gettime};
  if (mayWrite) {
    allowed.push_back(SYS_write);
    allowed.push_back(SYS_writev);
#ifdef SYS_newfstatat
    allowed.push_back(SYS_newfstatat);
#endif
    allowed.push_back(SYS_fstat);
  }
#ifdef __x86_64__
  constexpr unsigned machine = AUDIT_ARCH_X86_64;
#else
  constexpr unsigned machine = AUDIT_ARCH_AARCH64;
#endif
  constexpr unsigned kill = SECCOMP_RET_KILL_PROCESS;
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, kill),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  // It may end itself by a signal, as abort() does, and nobody else.
  for (int call : {SYS_gettid, SYS_getpid, SYS_rt_sigprocmask})
    allowed.push_back(call);
  const std::vector<sock_filter> ownSignals = {
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, unsigned(SYS_tgkill), 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, unsigned(getpid()), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, kill)};
  filter.insert(filter.end(), ownSignals.begin(), ownSignals.end());
  for (int call : allowed) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, unsigned(call), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, kill));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()),
                              filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

bool enterSandbox(bool) { return false; }

#endif

void leaveAtOnce() { _exit(0); }

} // namespace memreflens::execute

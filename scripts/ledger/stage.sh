# Source this file. `stage NAME COMMAND…` runs a command as a stage, and records its cost in the same way as stage.ts.

ledger_cpu_seconds() {
  case ${RUNSHEET_TEST_LEDGER_COUNTER:-} in
    '') echo null ;;
    */cpu.stat) LC_ALL=C awk '/^usage_usec / { printf "%.3f", $2 / 1e6 }' "$RUNSHEET_TEST_LEDGER_COUNTER" ;;
    *) LC_ALL=C awk '{ printf "%.3f", ($14 + $15 + $16 + $17) / 100 }' "/proc/$$/stat" ;;
  esac
}

stage() {
  local name=$1 status=0 started cpu
  shift
  started=$(date +%s.%N)
  cpu=$(ledger_cpu_seconds)
  "$@" || status=$?
  if [ -n "${RUNSHEET_TEST_LEDGER_FILE:-}" ]; then
    LC_ALL=C awk -v name="$name" -v started="$started" -v ended="$(date +%s.%N)" -v before="$cpu" -v after="$(ledger_cpu_seconds)" 'BEGIN {
      cpu = after == "null" ? "null" : sprintf("%.3f", after - before)
      printf "{\"stage\":\"%s\",\"wallSeconds\":%.3f,\"cpuSeconds\":%s}\n", name, ended - started, cpu
    }' >>"$RUNSHEET_TEST_LEDGER_FILE"
  fi
  return "$status"
}

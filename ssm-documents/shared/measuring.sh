# What documents read that measure with fio.
# shellcheck shell=sh
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/load.sh
. "${0%/*}/../shared/load.sh"
# shellcheck source=../shared/fio.sh
. "${0%/*}/../shared/fio.sh"
# shellcheck source=../shared/results.sh
. "${0%/*}/../shared/results.sh"
# shellcheck source=../shared/over-time.sh
. "${0%/*}/../shared/over-time.sh"
# shellcheck source=../shared/measure.sh
. "${0%/*}/../shared/measure.sh"
# shellcheck source=../shared/fio-common.sh
. "${0%/*}/../shared/fio-common.sh"

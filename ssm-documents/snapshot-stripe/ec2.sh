# The request to EC2 and its answer, by the AWS CLI.
# shellcheck shell=sh

prepare_request() {
  instance=${AWS_SSM_INSTANCE_ID-}
  region=${AWS_SSM_REGION_NAME-}
  printf '%s\n' "$instance" | grep -Eqx -e 'i-[0-9a-f]{8,32}' || fail "\"$instance\" is no instance of EC2: snapshots are of the volumes of one"
  printf '%s\n' "$region" | grep -Eqx -e '[a-z0-9-]{5,32}' || fail "\"$region\" is no region: the agent gives it as AWS_SSM_REGION_NAME"
  excluded=$(others)
  [ "$(printf '%s\n' "$excluded" | wc -l)" -le 40 ] || fail 'more than 40 other volumes are attached, and EC2 leaves out 40 at most'
  excluded=$(printf '%s\n' "$excluded" | paste -s -d , -)
  specification="InstanceId=$instance,ExcludeBootVolume=true${excluded:+,ExcludeDataVolumeIds=[$excluded]}"
  set_id=$(date -u +%Y%m%dT%H%M%SZ)-$(cut -c 1-8 /proc/sys/kernel/random/uuid)
  tags="{Key=stripewise:set,Value=$set_id},{Key=stripewise:stripe,Value=${name:-none}}"
  [ -z "$SSM_tag" ] || tags="$tags,{Key=${SSM_tag%%=*},Value=${SSM_tag#*=}}"
  say "the snapshots have the tag stripewise:set=$set_id"
  AWS_PAGER=''
  # Once: a request that is sent again makes a second set.
  AWS_MAX_ATTEMPTS=1
  export AWS_PAGER AWS_MAX_ATTEMPTS
}

# In the script's process group, so that it ends with it; into a file, so that nothing that it leaves behind is waited for.
#   within SECONDS COMMAND...
within() {
  timeout --foreground -k 2 "$@" < /dev/null > "$watched/answer" 2>&1 9>&-
  status=$?
  answer=$(cat "$watched/answer")
}

create_snapshots() {
  within "$@" --region "$region" --instance-specification "$specification" \
    --description "${SSM_description:-stripewise-$set_id}" --tag-specifications "ResourceType=snapshot,Tags=[$tags]" \
    --query 'Snapshots[].[SnapshotId,VolumeId]' --output text
}

# Permissions, credentials, network, and the CLI itself, which is read from the disk the first time.
try_request() {
  create_snapshots 60 aws ec2 create-snapshots --dry-run
  case $answer in
    *DryRunOperation*) ;;
    *) fail "aws ec2 create-snapshots --dry-run: $(printf '%s' "$answer" | tr '\n' ' ' | cut -c 1-600)" ;;
  esac
}

request_snapshots() { create_snapshots "$SSM_freezeSeconds" aws ec2 create-snapshots; }

evaluate_answer() {
  made=$(printf '%s\n' "$answer" | awk '$1 ~ /^snap-[0-9a-f]+$/ && $2 ~ /^vol-[0-9a-f]+$/ { print $2, $1 }' | sort)
  if [ "$is_late" = yes ]; then
    give_up "EC2 had not answered after $SSM_freezeSeconds s, so the file systems were thawed: snapshots are not consistent"
  elif [ "$status" -ne 0 ]; then
    give_up "aws ec2 create-snapshots ended with status $status: $(printf '%s' "$answer" | tr '\n' ' ' | cut -c 1-600)"
  elif [ "$(printf '%s\n' "$made" | sed 's/ .*//')" != "$members" ]; then
    give_up 'the snapshots that EC2 made are not those of the members'
  fi
}

# Names what was made: by the answer, or where there was none, by what EC2 has.
give_up() {
  ids=$(printf '%s\n' "$made" | sed 's/.* //')
  if [ -z "$ids" ]; then
    within 20 aws ec2 describe-snapshots --region "$region" --owner-ids self \
      --filters "Name=tag:stripewise:set,Values=$set_id" --query 'Snapshots[].SnapshotId' --output text
    ids=$(printf '%s\n' "$answer" | grep -o 'snap-[0-9a-f]*')
  fi
  ids=$(printf '%s\n' "$ids" | paste -s -d ' ' -)
  fail "$1. Made were: ${ids:-none that is known} (tag stripewise:set=$set_id); delete them"
}

report() {
  list=$(printf '%s\n' "$made" | sed 's/\(.*\) \(.*\)/{"snapshotId":"\2","volumeId":"\1"}/' | paste -s -d , -)
  printf '{"name":"%s","instanceId":"%s","set":"%s","frozenMilliseconds":%s,"mountPoints":[%s],"snapshots":[%s]}\n' \
    "$name" "$instance" "$set_id" "$frozen_milliseconds" "$(printf '%s\n' "$places" | sed 's/.*/"&"/' | paste -s -d , -)" "$list"
}

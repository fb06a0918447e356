#!/bin/sh
# The first process of the lab's guest: mounts, devices, and the agent that runs commands. No services.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2> /dev/null
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t tmpfs run /run
mkdir -p /run/lock/lvm /run/lvm /run/udev
mount -t tmpfs tmp /tmp
modprobe -a virtio_pci virtio_console dm_mod
/lib/systemd/systemd-udevd --daemon
udevadm trigger --action=add --subsystem-match=block --subsystem-match=virtio-ports --subsystem-match=nvme
udevadm settle -t 10
ip link set lo up
hostname lab
# What is named in fstab, with nofail, as a start of the host would.
mount -a 2> /dev/console || true
mkdir -p /dev/virtio-ports
for port in /sys/class/virtio-ports/*; do
  read -r name < "$port/name"
  ln -sf "/dev/${port##*/}" "/dev/virtio-ports/$name"
done
(
  while :; do
    qemu-ga -m virtio-serial -p /dev/virtio-ports/org.qemu.guest_agent.0 -t /run
    sleep 1
  done
) > /dev/console 2>&1 &
echo 'lab: ready' > /dev/console
# Children of children.
while :; do
  sleep 3600 &
  wait
done

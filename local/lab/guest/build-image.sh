#!/bin/sh
# Makes the guest of the EBS lab from Debian's packages: a kernel and a root file system that boots with it, no initramfs.
#   build-image.sh OUT-DIRECTORY PACKAGE...
# Needs root, mmdebstrap, dpkg, e2fsprogs. OUT-DIRECTORY gets vmlinuz and root.img.
set -eu

out=$1
shift
here=${0%/*}
suite=bookworm
tree=$out/tree
size=1800M

rm -rf "$tree"
mkdir -p "$out"
packages=$(printf '%s,' "$@")

# What a guest that lives for minutes never reads: manuals, locales, and what would start services.
mmdebstrap --quiet --mode=root --variant=minbase --format=directory --skip=output/dev \
  --aptopt='APT::Install-Recommends "false"' \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/lib/llvm-*' \
  --setup-hook='mkdir -p "$1/usr/sbin" && printf "#!/bin/sh\nexit 101\n" > "$1/usr/sbin/policy-rc.d" && chmod 755 "$1/usr/sbin/policy-rc.d"' \
  --include="${packages%,}" "$suite" "$tree"

# The kernel has nvme and ext4 built in; its package would bring the tools of an initramfs.
kernel=$(apt-cache depends --important linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
(cd "$out" && apt-get -q download "$kernel")
dpkg-deb -x "$out/$kernel"_*.deb "$out/kernel"
cp "$out"/kernel/boot/vmlinuz-* "$out/vmlinuz"
mkdir -p "$tree/lib/modules"
cp -a "$out"/kernel/lib/modules/* "$tree/lib/modules/"
for release in "$tree"/lib/modules/*; do
  # Of the drivers what the lab has.
  find "$release/kernel" -type f -name '*.ko' | grep -v -E '/drivers/(block|md|virtio|nvme|dax|char)/|/fs/(xfs|ext4|jbd2|mbcache)|/lib/|/crypto/|/drivers/net/virtio|/net/core|/arch/' |
    xargs -r rm
  # Its own: this machine need not have one.
  chroot "$tree" depmod "${release##*/}"
done

install -m 755 "$here/init.sh" "$tree/sbin/lab-init"
install -D -m 644 "$here/70-ebs.rules" "$tree/etc/udev/rules.d/70-ebs.rules"
printf 'lab\n' > "$tree/etc/hostname"
printf '127.0.0.1 localhost lab\n' > "$tree/etc/hosts"
: > "$tree/etc/fstab"
rm -rf "$tree/var/cache/apt" "$tree/var/lib/apt/lists" "$tree/usr/lib/udev/hwdb.bin" "$tree/usr/lib/udev/hwdb.d"

# A partition with an identifier that the kernel finds by itself: names of NVMe disks change from start to start.
truncate -s "$size" "$out/root.img"
printf 'label: dos\nlabel-id: 0x1ab00001\nstart=2048, type=83\n' | sfdisk -q "$out/root.img"
mke2fs -q -t ext4 -F -E offset=1048576 -d "$tree" "$out/root.img" 1700M
rm -rf "$tree" "$out/kernel" "$out"/*.deb

/**
 * The names that commands carry. What comes from an account is spliced only where its form is known to be harmless in
 * a shell; otherwise a placeholder in angle brackets, which a shell takes for a redirection and stops at.
 */
import { isRegionName } from '../../region.ts';

const volumeIdForm = /^vol-[0-9a-f]{8,17}$/;

export const regionOrPlaceholder = (region: string): string => (isRegionName(region) ? region : '<region>');

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Of the members that stand today. */
export function presentVolumeIds(volumeIds: readonly string[], members: number): string[] {
  return upTo(members).map((number) => {
    const id = volumeIds[number - 1];
    return id !== undefined && volumeIdForm.test(id) ? id : `<volume-id-${number}>`;
  });
}

export const newVolumeIds = (members: number): string[] =>
  upTo(members).map((number) => `<new-volume-id-${number}>`);
export const snapshotIds = (members: number): string[] =>
  upTo(members).map((number) => `<snapshot-id-${number}>`);

/** Where Linux shows a volume on a Nitro instance: its serial number is the volume id without the dash. */
export function hostDevice(volumeId: string): string {
  const serial = volumeIdForm.test(volumeId)
    ? volumeId.replace('-', '')
    : volumeId.replace(/>$/, '-without-dash>');
  return `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${serial}`;
}

const named = (prefix: string, first: string, last: string): string[] => {
  const codes = Array.from(
    { length: last.charCodeAt(0) - first.charCodeAt(0) + 1 },
    (_, i) => first.charCodeAt(0) + i,
  );
  return codes.map((code) => prefix + String.fromCharCode(code));
};

/** What EC2 recommends for EBS, then what else it takes (EC2 user guide, device_naming, HVM). */
const usualNames = named('/dev/sd', 'f', 'p');
const names = [
  ...usualNames,
  ...['b', 'c', 'd', 'a'].flatMap((letter) => named(`/dev/xvd${letter}`, 'a', 'z')),
  ...named('/dev/xvd', 'q', 'z'),
  ...named('/dev/sd', 'b', 'e'),
];
const besideFrom = usualNames.length + 26;

/** What AttachVolume wants to be told; `beside` others that are attached, which have the first names. */
export function attachmentNames(members: number, beside: boolean): string[] {
  const from = beside ? besideFrom : 0;
  return [...names.slice(from), ...names.slice(0, from)].slice(0, members);
}

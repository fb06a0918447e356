/**
 * The names that commands carry. What comes from an account is spliced only where its form is known to be harmless in
 * a shell; otherwise a placeholder in angle brackets, which a shell takes for a redirection and stops at.
 * What is new is in shell variables: a line that reads one that is not set, by ${V1:?}, does not run either.
 */
import { isRegionName } from '../../region.ts';
import { isVolumeId } from '../../resource-id.ts';

export const regionOrPlaceholder = (region: string): string => (isRegionName(region) ? region : '<region>');

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/**
 * Of the members that stand today. An id that stands there twice counts once, so that no member is modified twice; of
 * more ids than members, nobody knows which are meant.
 */
export function currentVolumeIds(volumeIds: readonly string[], members: number): string[] {
  const known = volumeIds.length > members ? [] : volumeIds;
  return upTo(members).map((number, i) => {
    const id = known[i];
    return id !== undefined && isVolumeId(id) && known.indexOf(id) === i ? id : `<volume-id-${number}>`;
  });
}

/** The variable as a value: the line stops where it is not set. */
export const set = (variable: string): string => `"\${${variable}:?}"`;

const byId = '/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_';
/** Variables on both sides: V1 is the id of the first new volume, D1 (on the host only) the device. */
export const newVolumeVariables = (members: number): string[] => upTo(members).map((number) => `V${number}`);
export const newDeviceVariables = (members: number): string[] => upTo(members).map((number) => `D${number}`);
/** The only lines that a new volume's id is put into by hand. */
export const newDeviceLines = (members: number): string[] =>
  upTo(members).map(
    (number) => `V${number}=<new-volume-id-${number}> && D${number}=${byId}vol\${V${number}#vol-}`,
  );
export const snapshotIds = (members: number): string[] =>
  upTo(members).map((number) => `<snapshot-id-${number}>`);

/** Where Linux shows a volume on a Nitro instance: its serial number is the volume id without the dash. */
export function hostDevice(volumeId: string): string {
  const serial = isVolumeId(volumeId) ? volumeId.replace('-', '') : volumeId.replace(/>$/, '-without-dash>');
  return `${byId}${serial}`;
}

const named = (prefix: string, first: string, last: string): string[] => {
  const codes = Array.from(
    { length: last.charCodeAt(0) - first.charCodeAt(0) + 1 },
    (_, i) => first.charCodeAt(0) + i,
  );
  return codes.map((code) => prefix + String.fromCharCode(code));
};

/**
 * What EC2 recommends for EBS, then what else it takes (EC2 user guide, device_naming, HVM). xvdf is the same as sdf;
 * whether xvd[a-d][yz] are names differs by the edition of the guide, so they are the last: 129 names for 127 members.
 */
const usualNames = named('/dev/sd', 'f', 'p');
const letters = ['b', 'c', 'd', 'a'];
const names = [
  ...usualNames,
  ...letters.flatMap((letter) => named(`/dev/xvd${letter}`, 'a', 'x')),
  ...named('/dev/xvd', 'q', 'z'),
  ...named('/dev/sd', 'b', 'e'),
];
const lastNames = letters.flatMap((letter) => named(`/dev/xvd${letter}`, 'y', 'z'));
const besideFrom = usualNames.length + 24;

/** What AttachVolume wants to be reported; `beside` others that are attached, which have the first names. */
export function attachmentNames(members: number, beside: boolean): string[] {
  const from = beside ? besideFrom : 0;
  return [...names.slice(from), ...names.slice(0, from), ...lastNames].slice(0, members);
}

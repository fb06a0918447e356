/** Whether a text has the form of an id that EC2 gives: then it is harmless in a shell, too. */
export const isVolumeId = (text: string): boolean => /^vol-[0-9a-f]{8,17}$/.test(text);
export const isInstanceId = (text: string): boolean => /^i-[0-9a-f]{8,17}$/.test(text);

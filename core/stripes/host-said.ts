/** What a host could not tell of its volumes, and why another said nothing at all. */
import { z } from 'zod';

export const hostNoteSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('join-unknown'),
    device: z.string(),
    disks: z.number().meta({ description: 'so many, of which nobody knows how they are joined' }),
  }),
  z.object({
    code: z.literal('no-serial-numbers'),
    devices: z.array(z.string()).meta({ description: 'the first of those of which no volume is known' }),
    count: z.number(),
  }),
  z.object({
    code: z.literal('device-mapper-unread'),
    text: z.string().meta({ description: 'as the host says' }),
  }),
]);
export type HostNote = z.infer<typeof hostNoteSchema>;

export const hostReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('not-reached') }).meta({
    description: 'no Linux instance that Systems Manager reaches',
  }),
  z.object({ code: z.literal('no-answer'), seconds: z.number() }),
  z.object({
    code: z.literal('command-ended'),
    status: z.string().meta({ description: 'as Systems Manager says' }),
  }),
  z.object({
    code: z.literal('call-failed'),
    reason: z.string().meta({ description: 'what was asked, and what AWS said' }),
  }),
  z.object({ code: z.literal('answer-too-large'), characters: z.number(), most: z.number() }),
  z.object({ code: z.literal('not-the-document') }).meta({
    description: 'the answer is not what the script prints',
  }),
  z.object({ code: z.literal('lsblk-failed'), text: z.string() }),
  z.object({ code: z.literal('lsblk-unreadable') }),
]);
export type HostReason = z.infer<typeof hostReasonSchema>;

/** Hosts that said nothing, and why; none named: all that were asked. */
export interface NotReadHosts {
  instanceIds: string[];
  reason: HostReason;
}

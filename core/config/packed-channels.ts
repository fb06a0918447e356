/** Channels and routes as the function that delivers gets them: JSON, gzip, base64, in a variable of its environment. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { type ChannelConfig, type Config, isTopic, type Route, routesOf } from './config.ts';

const packedSchema = z.object({
  channels: z.record(z.string(), z.custom<ChannelConfig>()),
  routes: z.custom<Route[]>(),
});
type PackedChannels = z.infer<typeof packedSchema>;

/**
 * Lambda takes 4 KB of variables in all: names, ARNs and addresses of the stack take less than 1,200 bytes of it. Source:
 * Lambda's quotas, read 2026-11-23.
 */
export const mostChannelBytes = 2_800;
/** Name and ARN of a channel that is a topic. */
const bytesOfTopic = 180;

export const packChannels = (config: Pick<Config, 'channels' | 'routes'>): string =>
  gzipSync(JSON.stringify({ channels: config.channels, routes: routesOf(config) }), { level: 9 }).toString(
    'base64',
  );

/** As the stack wrote it, which checked it. */
export const unpackChannels = (packed: string): PackedChannels =>
  packedSchema.parse(JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')));

/** What the channels take of the variables of the function that delivers. */
export function channelBytes(config: Config): number {
  const topics = Object.values(config.channels).filter(isTopic).length;
  return (
    packChannels(config).length + topics * bytesOfTopic + Buffer.byteLength(config.report.label ?? '', 'utf8')
  );
}

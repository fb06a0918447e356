import { type EC2Client, type InstanceTypeInfo, paginateDescribeInstanceTypes } from '@aws-sdk/client-ec2';
import { z } from 'zod';
import {
  byFamilyAndSize,
  type EbsFigures,
  type InstanceType,
  instanceTypeSchema,
} from '../../core/catalog/instance-types.ts';
import type { LeftOutType } from '../../core/schemas/audit-notice.ts';
import { mibFromDecimalMB } from '../../core/units.ts';
import { reading } from './failure.ts';
import { pagesWithEnd } from './pages.ts';

const figuresSchema = z.object({
  BaselineIops: z.number(),
  MaximumIops: z.number(),
  BaselineThroughputInMBps: z.number(),
  MaximumThroughputInMBps: z.number(),
});

const instanceTypeInfoSchema = z.object({
  InstanceType: z.string(),
  CurrentGeneration: z.boolean(),
  BurstablePerformanceSupported: z.boolean(),
  VCpuInfo: z.object({ DefaultVCpus: z.number() }),
  MemoryInfo: z.object({ SizeInMiB: z.number() }),
  ProcessorInfo: z.object({ SupportedArchitectures: z.array(z.string()) }),
  EbsInfo: z.object({
    EbsOptimizedInfo: figuresSchema.optional(),
    NvmeSupport: z.string(),
    MaximumEbsAttachments: z.number().optional(),
    AttachmentLimitType: z.string().optional(),
    EbsCards: z.array(figuresSchema).optional(),
  }),
  NetworkInfo: z.object({ BandwidthWeightings: z.array(z.string()).optional() }).optional(),
  InstanceStorageInfo: z
    .object({ TotalSizeInGB: z.number(), Disks: z.array(z.object({ Count: z.number(), Type: z.string() })) })
    .optional(),
});

/** The one place where decimal MB/s become MiB/s. */
const figuresOf = (figures: z.infer<typeof figuresSchema>): EbsFigures => ({
  baselineIops: figures.BaselineIops,
  maximumIops: figures.MaximumIops,
  baselineMiBps: mibFromDecimalMB(figures.BaselineThroughputInMBps),
  maximumMiBps: mibFromDecimalMB(figures.MaximumThroughputInMBps),
});

function instanceTypeOf(info: z.infer<typeof instanceTypeInfoSchema>): InstanceType {
  const { EbsInfo: ebs, InstanceStorageInfo: store } = info;
  const cards = ebs.EbsCards ?? [];
  return {
    instanceType: info.InstanceType,
    vcpus: info.VCpuInfo.DefaultVCpus,
    memoryMiB: info.MemoryInfo.SizeInMiB,
    architectures: info.ProcessorInfo.SupportedArchitectures,
    currentGeneration: info.CurrentGeneration,
    // What attaches volumes by NVMe alone is Nitro; bare metal has no hypervisor to name.
    nitro: ebs.NvmeSupport === 'required',
    burstableCpu: info.BurstablePerformanceSupported,
    ebs: ebs.EbsOptimizedInfo === undefined ? null : figuresOf(ebs.EbsOptimizedInfo),
    cards: cards.length > 1 ? cards.map(figuresOf) : [],
    attachments:
      ebs.MaximumEbsAttachments === undefined
        ? null
        : { most: ebs.MaximumEbsAttachments, shared: ebs.AttachmentLimitType !== 'dedicated' },
    bandwidthWeightings: info.NetworkInfo?.BandwidthWeightings ?? [],
    instanceStore:
      store === undefined
        ? null
        : {
            disks: store.Disks.reduce((total, { Count }) => total + Count, 0),
            totalGB: store.TotalSizeInGB,
            ssd: store.Disks.every(({ Type }) => Type === 'ssd'),
          },
  };
}

/** As the catalog keeps it: what is not so could be written, and not be read again. */
const readSchema = instanceTypeInfoSchema.transform(instanceTypeOf).pipe(instanceTypeSchema);

export interface InstanceTypesRead {
  /** Sorted by family and size. */
  types: InstanceType[];
  /** Types that are not as expected, each with the reason. */
  leftOut: LeftOutType[];
}

const longestName = 60;

function leftOut({ InstanceType }: InstanceTypeInfo, { issues: [issue] }: z.ZodError): LeftOutType {
  const name: string = InstanceType ?? '';
  const odd = { path: issue?.path.join('.') ?? '', message: issue?.message ?? '' };
  return { instanceType: name.slice(0, longestName), reason: { code: 'not-as-expected', ...odd } };
}

/** Every instance type that a Region has. */
export const describeInstanceTypes = (client: EC2Client, region: string): Promise<InstanceTypesRead> =>
  reading(`ec2:DescribeInstanceTypes in ${region}`, async () => {
    const types = new Map<string, InstanceType>();
    const odd = new Map<string, LeftOutType>();
    const pages = paginateDescribeInstanceTypes({ client, pageSize: 100 }, {});
    for await (const { InstanceTypes } of pagesWithEnd(pages)) {
      for (const info of InstanceTypes ?? []) {
        const { data, error } = readSchema.safeParse(info);
        if (error === undefined) types.set(data.instanceType, data);
        else {
          const one = leftOut(info, error);
          odd.set(JSON.stringify(one), one);
        }
      }
    }
    return { types: [...types.values()].sort(byFamilyAndSize), leftOut: [...odd.values()] };
  });

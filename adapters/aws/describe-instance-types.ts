import { type EC2Client, paginateDescribeInstanceTypes } from '@aws-sdk/client-ec2';
import { z } from 'zod';
import { byFamilyAndSize, type EbsFigures, type InstanceType } from '../../core/catalogue/instance-type.ts';
import { mibFromDecimalMB } from '../../core/units.ts';
import { reading } from './failure.ts';

const figuresSchema = z.object({
  BaselineIops: z.number(),
  MaximumIops: z.number(),
  BaselineThroughputInMBps: z.number(),
  MaximumThroughputInMBps: z.number(),
});

const instanceTypeInfoSchema = z.object({
  InstanceType: z.string(),
  CurrentGeneration: z.boolean(),
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
    .object({ TotalSizeInGB: z.number(), Disks: z.array(z.object({ Count: z.number() })) })
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
          },
  };
}

/** Every instance type that a Region has, sorted by family and size. */
export const describeInstanceTypes = (client: EC2Client, region: string): Promise<InstanceType[]> =>
  reading(`ec2:DescribeInstanceTypes in ${region}`, async () => {
    const types: InstanceType[] = [];
    for await (const { InstanceTypes } of paginateDescribeInstanceTypes({ client, pageSize: 100 }, {})) {
      for (const info of InstanceTypes ?? []) types.push(instanceTypeOf(instanceTypeInfoSchema.parse(info)));
    }
    return types.sort(byFamilyAndSize);
  });

/** Manifests of Kubernetes: each document, and each object of a List. */
import type { PlannedBase } from '../../core/check/planned.ts';
import { isRecord, type JsonRecord, listOf, stringOf } from './json-values.ts';
import { resourcesOfObject, typeOfObject } from './kubernetes-objects.ts';
import { addResource, type Reading } from './reading.ts';
import { templated, type YamlFile } from './yaml-documents.ts';

export const isManifest = (value: unknown): value is JsonRecord =>
  isRecord(value) && stringOf(value['apiVersion']) !== null && stringOf(value['kind']) !== null;

/** How a document or an item of a list is counted that is no object of Kubernetes. */
export const noKind = 'no apiVersion and kind';

/** A List within a List is not looked into more often. */
const deepestList = 8;

/** Each object of a List; an item that is none is a null. */
function* objectsIn(value: JsonRecord, depth = 0): Generator<JsonRecord | null> {
  const isList = stringOf(value['kind'])?.endsWith('List') === true && Array.isArray(value['items']);
  if (!isList || depth > deepestList) return yield value;
  for (const item of listOf(value['items'])) {
    if (isManifest(item)) yield* objectsIn(item, depth + 1);
    else yield null;
  }
}

/** Whether a text of an object is one of a template, as in `storage: "{{ .Values.size }}"`. */
const hasMark = (object: unknown): boolean => {
  if (typeof object === 'string') return object.includes('{{');
  return typeof object === 'object' && object !== null && Object.values(object).some(hasMark);
};

const base = (file: string): PlannedBase => ({
  ...{
    address: '',
    source: 'kubernetes',
    type: '',
    scope: 'kubernetes',
    file,
    line: null,
    action: 'declared',
  },
  ...{ replacedFor: [], replaceReason: null, region: null, tags: {}, ignoredRules: [] },
});

/** Adds the objects of one document. */
export function readManifest(value: JsonRecord, yaml: YamlFile, file: string, reading: Reading): void {
  for (const object of objectsIn(value)) {
    if (object === null) {
      addResource(reading, noKind, null);
      continue;
    }
    const planned = resourcesOfObject(object, base(file), yaml.lineOf);
    // Tags of a class may have marks that the driver fills in.
    const isTemplate =
      planned !== null && hasMark([object['metadata'], object['spec'], object['provisioner']]);
    if (isTemplate)
      reading.unreadable.push({ file, line: yaml.lineOf(object), reason: `${file}: ${templated}` });
    else addResource(reading, typeOfObject(object), planned);
  }
}

/** npm run generate:profiles: writes what documents know of core/benchmark. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonScript, drainScript, profilesScript } from './profiles-script.ts';

const texts = {
  'shared/fio-common.sh': commonScript(),
  'run-fio/profiles.sh': profilesScript(),
  'drain-credits/loads.sh': drainScript(),
};
for (const [path, text] of Object.entries(texts)) {
  const target = join(import.meta.dirname, '../ssm-documents', path);
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
  console.log(target);
}

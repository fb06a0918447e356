/** npm run generate:profiles: writes ssm-documents/run-fio/profiles.sh from core/benchmark. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { profilesScript } from './profiles-script.ts';

const target = join(import.meta.dirname, '../ssm-documents/run-fio/profiles.sh');
writeFileSync(`${target}.new`, profilesScript());
renameSync(`${target}.new`, target);
console.log(target);

import type { AuditReport } from '../../../core/report/audit-report.ts';
import { mount } from '../shared/mount.tsx';
import { AuditPage } from './audit-page.tsx';
import '../shared/base.css';
import '../shared/tables.css';
import './page.css';
import './finding.css';

void mount<AuditReport>((report) => <AuditPage report={report} />);

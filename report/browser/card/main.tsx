/** The page of a report card: starts it. */
import type { CardReport } from '../../../core/report/card-report.ts';
import { mount } from '../shared/mount.tsx';
import { Card } from './card.tsx';
import '../shared/base.css';
import '../shared/tables.css';
import './card.css';

void mount<CardReport>((card) => <Card card={card} />);

import { startServer } from '@flotilla/testkit';
import { hostileKubeconfigCases } from './hostile-kubeconfigs.cases.ts';
import { hostileMemberCases } from './hostile-members.cases.ts';
import { kubeconfigCases } from './kubeconfigs.cases.ts';

hostileKubeconfigCases(startServer);
hostileMemberCases(startServer);
kubeconfigCases(startServer);

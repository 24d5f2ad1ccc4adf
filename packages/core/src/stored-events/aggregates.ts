/** Every aggregate whose events are in the log, by the streams it owns. An aggregate that is not here is not read back. */
import { approval } from "../approval/approval.ts";
import { build } from "../build/build.ts";
import { conversation } from "../conversation/conversation.ts";
import { cursor } from "../cursor/cursor.ts";
import { device } from "../device/device.ts";
import type { EventCodec } from "../engine/codec.ts";
import { joinedSession } from "../joined-session/joined-session.ts";
import { lease } from "../lease/lease.ts";
import { login } from "../login/login.ts";
import { invocation } from "../node/invocation.ts";
import { node } from "../node/node.ts";
import { officeChat } from "../office/chat.ts";
import { storedOffice } from "../office/office.ts";
import { poll } from "../poll/poll.ts";
import { project } from "../project/project.ts";
import { question } from "../question/question.ts";
import { repository } from "../repository/repository.ts";
import { sandbox } from "../sandbox/sandbox.ts";
import { settings } from "../settings/settings.ts";
import { sharedFolder } from "../shared-folder/shared-folder.ts";
import { signalSource } from "../signal/signal-source.ts";
import { toolCall } from "../tool-call/tool-call.ts";
import { workspace } from "../workspace/workspace.ts";

export interface StoredAggregate extends Pick<EventCodec<never>, "checks"> {
  readonly name: string;
  readonly onlyId?: string;
}

export const AGGREGATES: readonly StoredAggregate[] = [
  conversation,
  approval,
  question,
  poll,
  device,
  login,
  node,
  invocation,
  signalSource,
  toolCall,
  build,
  officeChat,
  storedOffice,
  project,
  repository,
  settings,
  workspace,
  sandbox,
  lease,
  cursor,
  sharedFolder,
  joinedSession,
];

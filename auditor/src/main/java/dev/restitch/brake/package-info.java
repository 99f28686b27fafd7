/** The brake: engages where too much is torn, or where an auditor cannot see. */
package dev.restitch.brake;

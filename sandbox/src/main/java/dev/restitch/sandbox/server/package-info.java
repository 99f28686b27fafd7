/**
 * Real servers for demo and tests: Kafka, Redis or Valkey, PostgreSQL. All listen on loopback only,
 * keep their data in one temporary folder, and leave neither process nor folder behind.
 */
package dev.restitch.sandbox.server;
